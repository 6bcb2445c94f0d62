import Modeling
import Testing

@Suite struct InterruptionTests {
  @Test func nobodyIsStoppedWithoutBeingAsked() throws {
    #expect(!Interruption.isRequested())
    try Interruption.check()
  }

  @Test func theInnermostQuestionCounts() throws {
    Interruption.asking({ true }) {
      #expect(Interruption.isRequested())
      Interruption.asking({ false }) { #expect(!Interruption.isRequested()) }
      #expect(throws: EvaluationInterrupted.self) { try Interruption.check() }
    }
    #expect(!Interruption.isRequested())
  }

  @Test func aLoopAsksNowAndThen() throws {
    var (asked, turns) = (0, 0)
    try Interruption.asking({
      asked += 1
      return false
    }) {
      var poll = InterruptionPoll()
      for _ in 0..<10_000 {
        try poll.step()
        turns += 1
      }
    }
    #expect(turns == 10_000 && (10...100).contains(asked))
  }

  @Test func aModelOfManyEntitiesCanBeStopped() throws {
    let family = (1...300).reversed().map { number in
      EntityDescription("E\(number)", parent: number == 1 ? nil : "E\(number / 2)")
    }
    #expect(try Model(family).entity(named: "E300")?.parent?.name == "E150")
    let error = #expect(throws: ModelError.self) { try Interruption.asking({ true }) { _ = try Model(family) } }
    #expect(error?.fact == .interrupted)
  }
}
