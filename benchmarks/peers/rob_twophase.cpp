// Answers lines of "FACELETS LIMIT VALUE" with "= SECONDS MOVES" by rob-twophase, in one thread.
// LIMIT is `first` (stop at an answer of at most VALUE moves, or after 600 s) or `budget` (VALUE milliseconds).
#include <cstdint>
#include <ctime>
#include <iostream>
#include <string>

#include "coord.h"
#include "cubie.h"
#include "face.h"
#include "move.h"
#include "prun.h"
#include "solve.h"
#include "sym.h"

int main() {
  face::init();
  move::init();
  coord::init();
  sym::init();
  if (prun::init(true)) return 1;
  std::cout << "= ready" << std::endl;
  std::string facelets, limit;
  int value;
  while (std::cin >> facelets >> limit >> value) {
    bool first = limit == "first";
    cubie::cube cube;
    face::to_cubie(facelets, cube);
    solve::Engine engine(1, first ? 600000 : value, 1, first ? value : -1, 1);
    engine.prepare();
    std::vector<std::vector<int>> found;
    std::clock_t before = std::clock();
    engine.solve(cube, found);
    engine.finish();
    std::cout << "= " << double(std::clock() - before) / CLOCKS_PER_SEC;
    if (!found.empty())
      for (int each : found[0]) std::cout << " " << move::names[each];
    std::cout << std::endl;
  }
}
