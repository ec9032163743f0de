/** Answers lines of "FACELETS first N" with "= SECONDS MOVES" by min2phase. */
public class Min2phase {
    public static void main(String[] arguments) {
        cs.min2phase.Search.init();
        Lines.answer((facelets, most) -> {
            String found = new cs.min2phase.Search().solution(facelets, most, 100000000, 0, 0);
            return found.startsWith("Error") ? "" : found;
        });
    }
}
