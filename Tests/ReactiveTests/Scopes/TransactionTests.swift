import Reactive
import Testing

@Suite struct TransactionTests {
  /// A turn and what an effect sees of its transactions.
  final class Scene {
    let turn = Turn()
    let state = State(0)
    var seen: [String] = []

    init() {
      Effect(turn) { [unowned self] in
        let transaction = turn.transaction
        seen.append(
          "\(state.value) \(transaction.animation?.description ?? (transaction.disablesAnimations ? "none" : "-"))")
      }
    }
  }

  @Test func aTransactionAccompaniesWhatIsChangedInItWhichIsToldAtItsEndAndNothingBeforeOrAfter() throws {
    let scene = Scene()
    scene.state.value = 1
    try withAnimation(Animation("easeIn"), scene.turn) {
      scene.state.value = 2
      #expect(scene.seen == ["0 -", "1 -"])
    }
    #expect(scene.seen.last == "2 easeIn")
    scene.state.value = 3
    try scene.turn.run()
    #expect(scene.seen.last == "3 -")
  }

  @Test func aTransactionWithoutAnAnimationLeavesObserversOwnOnesOutToo() throws {
    let scene = Scene()
    try withAnimation(nil, scene.turn) { scene.state.value = 1 }
    #expect(scene.seen.last == "1 none")
  }

  @Test func aTransactionWithinAnotherOneIsPartOfThat() throws {
    let scene = Scene()
    try withAnimation(Animation("slow"), scene.turn) {
      try withAnimation(Animation("fast"), scene.turn) { scene.state.value = 1 }
      #expect(scene.turn.transaction.animation == Animation("slow"))
    }
    #expect(scene.seen == ["0 -", "1 slow"])
  }

  @Test func aTransactionThatFailsTellsWhatItHasChangedAllTheSame() throws {
    struct Mishap: Error {}
    let scene = Scene()
    #expect(throws: Mishap.self) {
      try withAnimation(Animation("slow"), scene.turn) {
        scene.state.value = 1
        throw Mishap()
      }
    }
    #expect(scene.seen.last == "1 slow")
    #expect(scene.turn.transaction == Transaction())
  }

  @Test func aTransactionOfABindingAccompaniesWhatIsWrittenByIt() throws {
    let scene = Scene()
    var during = ""
    let token = scene.state.onChange { [unowned scene] _, _ in
      during = scene.turn.transaction.animation?.description ?? ""
    }
    scene.state.binding().animation(.spring, scene.turn).wrappedValue = 4
    #expect(during == "spring")
    token.cancel()
  }
}
