import Reactive
import Testing

@Suite struct ObservationSourceTests {
  @Test func aSourceTellsWhoeverReadItOfTheFirstChangeOnce() {
    let source = ObservationSource()
    var told = 0
    withObservationTracking({ source.access() }, onChange: { told += 1 })
    #expect(source.isObserved)
    source.didChange()
    source.didChange()
    #expect(told == 1)
    #expect(!source.isObserved)
  }

  @Test func aSourceTellsInTheOrderInWhichItWasReadOfTheValueThatIsNew() {
    let state = State(1)
    var told: [String] = []
    for name in ["a", "b", "c"] {
      withObservationTracking({ _ = state.value }, onChange: { told.append("\(name)\(state.value)") })
    }
    state.value = 2
    #expect(told == ["a2", "b2", "c2"])
  }

  @Test func aSourceTellsAnOuterTrackingOfWhatAnInnerOneHasReadToo() {
    let (outside, inside) = (ObservationSource(), ObservationSource())
    var told: [String] = []
    withObservationTracking {
      outside.access()
      withObservationTracking({ inside.access() }, onChange: { told.append("inner") })
    } onChange: {
      told.append("outer")
    }
    inside.didChange()
    #expect(told.sorted() == ["inner", "outer"])
    #expect(!outside.isObserved)
  }

  @Test func aSourceIsTrackedByNobodyWhenTheReadingFailsOrAsksNotToBe() {
    struct Mishap: Error {}
    let source = ObservationSource()
    #expect(throws: Mishap.self) {
      try withObservationTracking {
        source.access()
        throw Mishap()
      } onChange: {
      }
    }
    withObservationTracking({ withoutObservationTracking { source.access() } }, onChange: {})
    source.access()
    #expect(!source.isObserved)
  }

  @Test func aSourceLetsThoseWhoTrackItGoWhenItGoesItself() {
    final class Witness {}
    weak var witness: Witness?
    do {
      let source = ObservationSource()
      let kept = Witness()
      witness = kept
      withObservationTracking({ source.access() }, onChange: { _ = kept })
      #expect(witness != nil)
    }
    #expect(witness == nil)
  }

  @Test func aSourceIsCheapByTheTenThousand() {
    let sources = (0..<10_000).map { _ in ObservationSource() }
    var told = 0
    withObservationTracking {
      for _ in 0..<3 { for source in sources { source.access() } }
    } onChange: {
      told += 1
    }
    for source in sources { source.didChange() }
    #expect(told == 1)
    #expect(!sources.contains { $0.isObserved })
  }
}
