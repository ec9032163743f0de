import java.lang.management.ManagementFactory;
import java.util.Scanner;

/** Reads the lines of the other drivers, measures the CPU time of an answer, and prints both. */
class Lines {
    interface Solver {
        String solve(String facelets, int value);
    }

    static void answer(Solver solver) {
        System.out.println("= ready");
        Scanner lines = new Scanner(System.in);
        var clock = ManagementFactory.getThreadMXBean();
        while (lines.hasNext()) {
            String facelets = lines.next();
            lines.next();
            int value = lines.nextInt();
            long before = clock.getCurrentThreadCpuTime();
            String moves = solver.solve(facelets, value);
            double seconds = (clock.getCurrentThreadCpuTime() - before) / 1e9;
            System.out.println("= " + seconds + " " + moves.strip());
        }
    }
}
