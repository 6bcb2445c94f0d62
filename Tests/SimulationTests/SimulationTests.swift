import Foundation
import Simulation
import TestSupport
import Testing

/// Whole runs of the engine from a seed: live results are what a fetch gives, invariants hold, the same seed gives the same run.
@Suite(.seeded, .serialized) struct SimulationTests {
  /// Cases that found mistakes.
  static let finds: [SimulationCase] = [
    // A child's order of members kept one that its parent had moved elsewhere.
    SimulationCase(seed: 3, turns: 35, steps: [56, 60, 116, 128, 130, 134, 136]),
    // A saved object got the key of a row that `undoSave` had removed, which a child still had under it.
    SimulationCase(seed: 7, turns: 37, steps: [6, 8, 111, 116, 137]),
    SimulationCase(seed: 37, turns: 21, steps: [28, 29, 48, 56, 64, 71, 72, 80]),
    // A predicate along a relationship to the same entity was decided by the row alone.
    SimulationCase(seed: 9, turns: 11, steps: [7, 43]),
    // What a save found first, and what it did first, was different from run to run.
    SimulationCase(seed: 22, turns: 40), SimulationCase(seed: 33, turns: 40),
    // The save of a child ended the process where it knew only the parent of an object's entity.
    SimulationCase(seed: 44, turns: 40, steps: [0, 1, 7, 8, 15, 16, 29, 31, 34, 40, 43]),
    // A child showed a member that it had itself moved elsewhere.
    SimulationCase(seed: 109, turns: 17, steps: [8, 27, 33, 55, 58, 67]),
    // Two contexts that each added to the same ordered to-many gave their members the same place.
    SimulationCase(seed: 450, turns: 18, steps: [52, 68, 69]),
    // An unsaved order of members kept one that another connection had moved elsewhere.
    SimulationCase(seed: 484, turns: 33, steps: [12, 22, 28, 41, 42, 52, 53, 72, 76, 88, 114]),
    SimulationCase(seed: 586, turns: 37, steps: [46, 116, 121, 124, 128, 146]),
    // Objects that others deleted are no broken invariant.
    SimulationCase(seed: 114, turns: 33, steps: [57, 128]), SimulationCase(seed: 140, turns: 5, steps: [7, 17]),
    // A turn that was interrupted lost differences for good; contexts, and checks, had the order of hash tables.
    SimulationCase(seed: 238, turns: 40), SimulationCase(seed: 252, turns: 40),
    // A commit that is refused leaves its transaction open: a fetch of its connection sees what others do not see yet.
    SimulationCase(seed: 665, turns: 34, steps: [31, 40, 44, 50, 129, 132]), SimulationCase(seed: 665, turns: 40),
    // Members whose changes were rolled back were shown where they had been before others moved them.
    SimulationCase(seed: 1158, turns: 40, steps: [44, 45, 48, 55, 56, 58, 60]),
    // An undo made an object a member of what it does not lead to: others had deleted its owner, or moved it.
    SimulationCase(seed: 1250, turns: 10, steps: [5, 19, 24, 30, 31, 38]),
    SimulationCase(seed: 1409, turns: 24, steps: [12, 22, 47, 69, 71, 74, 76, 78, 94]),
    SimulationCase(seed: 3593, turns: 21, steps: [0, 8, 26, 27, 40, 43, 55]),
    // A child had a member that its parent had deleted, because others had linked it meanwhile.
    SimulationCase(seed: 3487, turns: 28, steps: [19, 36, 38, 45, 86, 87, 92, 99, 103, 107]),
    // A child undid what concerned an object that its parent had deleted, and then restored, on one side alone.
    SimulationCase(
      seed: 1315, turns: 38, steps: [70, 72, 76, 80, 90, 92, 96, 103, 114, 124, 142]),
    // A child saved on an older row than its parent had, whose members were read already.
    SimulationCase(seed: 3463, turns: 25, steps: [5, 31, 52, 65, 74, 82, 88, 89, 98]),
    // An object that unsaved links led to was another one when its row came back.
    SimulationCase(seed: 5257, turns: 22, steps: [24, 40, 48, 64, 72, 78, 85]),
    // A new object was merged with one that was known as an object of an ancestor, which lacks its relationships.
    SimulationCase(seed: 7522, turns: 40, steps: [69, 87, 88]),
    // Rows that live results had read within a transaction stayed in them when that was rolled back.
    SimulationCase(seed: 1474, turns: 40, steps: [64, 80, 84, 101, 104, 112, 116, 119, 120, 133, 152, 157]),
    SimulationCase(
      seed: 3474, turns: 26, steps: [11, 18, 22, 43, 44, 47, 50, 54, 55, 56, 68, 70, 73, 76, 89, 97, 101]),
    SimulationCase(seed: 4435, turns: 33, steps: [4, 18, 19, 28, 68, 78, 128]),
    // A new object and the former one with its key were reported in the order of a hash table.
    SimulationCase(
      seed: 3112, turns: 40, steps: [1, 5, 12, 17, 20, 21, 23, 24, 33, 34, 36, 41, 104, 106]),
    SimulationCase(seed: 4647, turns: 40, steps: [0, 3, 4, 5, 7, 8, 12, 14, 54, 55, 65, 67]),
    SimulationCase(
      seed: 4728, turns: 40, steps: [0, 2, 4, 8, 10, 12, 13, 37, 43, 44, 45, 46, 48, 70, 71, 119, 120, 121]),
    SimulationCase(seed: 1529, turns: 40), SimulationCase(seed: 3352, turns: 40),
    // Which of several objects could not be read was said in the order of a hash table.
    SimulationCase(seed: 7373, turns: 40),
    // A live result kept a changed object whose row was gone when a new object got its key.
    SimulationCase(seed: 20765, turns: 29, steps: [75, 80, 92, 103, 111, 113]),
    SimulationCase(seed: 33153, turns: 13, steps: [0, 16, 22, 28, 51]),
    // A child took an object of a subentity, of which it knew the parent alone, for one of that.
    SimulationCase(seed: 31695, turns: 31, steps: [12, 13, 16, 55, 91, 111, 118, 120, 121, 122]),
    // A redo took an object's change back to its base, whose owner the object had no longer in the store.
    SimulationCase(seed: 63858, turns: 6, steps: [2, 13, 14, 18, 19, 21]),
    // A row of a subentity had the key of a deleted row, and was shown as the object of that.
    SimulationCase(seed: 70198, turns: 37, steps: [19, 58, 92, 108, 114, 146]),
    // A link that was made again, and that others had saved meanwhile, stayed a change of the to-many alone.
    SimulationCase(seed: 102666, turns: 24, steps: [9, 16, 23, 24, 28, 38, 39, 92, 93]),
    // An interruption left live groups with the order of their former state and half of the new one.
    SimulationCase(seed: 305625, turns: 40, steps: [1, 4, 8, 13, 14, 18, 20, 22, 23, 24, 28, 35, 41, 53, 64, 69]),
    // An undo among others' saves dropped a member that was linked, so that it was saved with the place of its former list.
    SimulationCase(
      seed: 306102, turns: 37,
      steps: [9, 33, 69, 85, 86, 87, 100, 104, 105, 106, 109, 123, 128, 134, 136, 140, 141, 144, 145]),
    // An undone save brought a member back to a place that another one had taken.
    SimulationCase(seed: 100810, turns: 38, steps: [34, 37, 64, 96, 131, 132, 143]),
  ]

  private static let script = URL(filePath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    .appending(path: "Proof/work/simulation.lua")

  private func run(_ example: SimulationCase) throws -> (log: String, failure: String?) {
    let folder = try TemporaryFolder()
    return Simulation(example, script: Self.script, folder: folder.url.appending(path: "run")).runTwice()
  }

  @Test(arguments: finds) func whatWasFoundOnceHolds(example: SimulationCase) throws {
    let (log, failure) = try run(example)
    #expect(failure == nil, "\(example): \(failure ?? "")\n\(log)")
  }

  @Test(arguments: 1..<UInt64(Effort.rounds(6)))
  func aSeedReplaysARunInWhichNothingIsWrong(seed: UInt64) throws {
    let example = SimulationCase(seed: Seed.drawn(seed), turns: 20)
    let (log, failure) = try run(example)
    #expect(failure == nil, "\(example): \(failure ?? "")\n\(log.suffix(2000))")
    #expect(log.split(separator: "\n").count > 40, "it does next to nothing")
  }

  @Test func anotherSeedIsAnotherRun() throws {
    #expect(try run(SimulationCase(seed: 1, turns: 3)).log != run(SimulationCase(seed: 2, turns: 3)).log)
  }

  @Test func aStepThatIsLeftOutLeavesTheOthersAsTheyAre() throws {
    let all = try run(SimulationCase(seed: 3, turns: 1)).log.split(separator: "\n")
    let first = try run(SimulationCase(seed: 3, turns: 1, steps: [0])).log.split(separator: "\n")
    #expect(all.dropFirst().first == first.dropFirst().first)
  }

  @Test(arguments: ["1789 40", "0 1 3,7,12", "18446744073709551615 2 0"])
  func aCaseReadsAsItIsWritten(text: String) throws {
    #expect(try #require(SimulationCase(text)).description == text)
  }

  @Test(arguments: ["", "1", "1 0", "1 2 3,x", "-1 2", "1 2 3 4"])
  func whatIsNoCaseIsRefused(text: String) { #expect(SimulationCase(text) == nil) }
}
