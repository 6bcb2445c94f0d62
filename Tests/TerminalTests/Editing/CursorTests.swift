@preconcurrency import CReadline
import Testing

@testable import Terminal

/// readline's variables are those of the process.
@Suite(.serialized) struct CursorTests {
  @Test(arguments: [(7, 3, 3), (-2, 3, 0), (2, 3, 2), (3, 3, 3), (1, 0, 0)])
  func aCursorThatReadlineLeavesOutsideOfTheLineIsAtItsNearestEnd(point: Int, end: Int, place: Int) {
    let before = (rl_point, rl_end)
    defer { (rl_point, rl_end) = before }
    (rl_point, rl_end) = (Int32(point), Int32(end))
    #expect(ReadlineEditor.point == place)
    #expect(rl_point == Int32(place), "what readline does next counts on it")
  }
}
