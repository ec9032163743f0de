/**
 * Answers lines of "FACELETS none 0" with "= SECONDS MOVES" by cube555, which reduces the cube, and
 * by the min2phase in its checkout, which solves the 3x3x3 that is left.
 */
public class Cube555 {
    public static void main(String[] arguments) {
        cs.cube555.Search.init();
        cs.min2phase.Search.init();
        Lines.answer((facelets, unused) -> {
            String[] reduced = new cs.cube555.Search().solveReduction(facelets, 0);
            String wide = reduced[0].replaceAll("([a-z])", "$1w").toUpperCase().replace("W", "w");
            return wide + " " + new cs.min2phase.Search().solution(reduced[1], 21, 100000000, 20000, 0);
        });
    }
}
