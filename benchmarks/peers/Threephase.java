/** Answers lines of "FACELETS none 0" with "= SECONDS MOVES" by TPR-4x4x4-Solver. */
public class Threephase {
    public static void main(String[] arguments) {
        cs.threephase.Search.init();
        Lines.answer((facelets, unused) -> new cs.threephase.Search().solution(facelets));
    }
}
