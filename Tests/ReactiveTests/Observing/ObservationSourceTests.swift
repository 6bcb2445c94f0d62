import Reactive
import Testing

@Suite("A source")
struct ObservationSourceTests {
  @Test("tells whoever read it of the first change, once")
  func once() {
    let source = ObservationSource()
    var told = 0
    withObservationTracking({ source.access() }, onChange: { told += 1 })
    #expect(source.isObserved)
    source.didChange()
    source.didChange()
    #expect(told == 1)
    #expect(!source.isObserved)
  }

  @Test("tells in the order in which it was read, of the value that is new")
  func order() {
    let state = State(1)
    var told: [String] = []
    for name in ["a", "b", "c"] {
      withObservationTracking({ _ = state.value }, onChange: { told.append("\(name)\(state.value)") })
    }
    state.value = 2
    #expect(told == ["a2", "b2", "c2"])
  }

  @Test("tells an outer tracking of what an inner one has read, too")
  func nested() {
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

  @Test("is tracked by nobody when the reading fails, or asks not to be")
  func untracked() {
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

  @Test("lets those who track it go, when it goes itself")
  func lifetime() {
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

  @Test("is cheap by the ten thousand")
  func many() {
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
