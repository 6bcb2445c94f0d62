internal import Modeling
internal import ObjectGraph
internal import Queries

/// The differences between memory and the store as text: a block for each reason, with the first objects and a remedy.
struct ParityText {
  let predicate: Queries.Predicate

  private static let mostNames = 5

  func text(_ parity: Parity, of entity: Entity) -> String {
    let compared = ErrorReport.count(parity.comparedCount, "object")
    guard parity.count > 0 else { return "memory and the store agree on \(compared) of \(entity.name)" }
    var lines = ["memory and the store differ on \(Quantity.grouped(parity.count)) of \(compared) of \(entity.name)"]
    for (index, group) in parity.groups.enumerated() {
      let who = group.isInMemory ? "in memory only" : "in the store only"
      lines.append("  \(Quantity.grouped(group.count)) \(who): \(reason(group.cause))")
      let objects = parity.differences.filter { $0.group == index }.prefix(Self.mostNames).map(\.object)
      let names = objects.map { ObjectText.name(of: $0) } + (group.count > objects.count ? ["…"] : [])
      if !objects.isEmpty { lines.append("    \(names.joined(separator: ", "))") }
      lines += advice(group.cause).map { "    \($0)" }
    }
    return lines.joined(separator: "\n")
  }

  // MARK: Reasons

  func reason(_ cause: Parity.Cause) -> String {
    switch cause {
    case .answer(let disagreement): reason(disagreement)
    case .unsavedObject: "the object is not saved, so that the store does not know it"
    case .unsavedChange: "there are unsaved changes that the store does not know"
    case .unsavedDeletion: "the object is deleted here, and the deletion is not saved"
    case .transient(let path): "\(path.text) is transient, and the store refuses the predicate"
    case .unexplained: "the reason is not known"
    }
  }

  private func reason(_ disagreement: Disagreement) -> String {
    let answer = disagreement.inStore.map { "\($0)" } ?? "neither"
    let asked = disagreement.isNegated ? "NOT (\(disagreement.clause))" : "\(disagreement.clause)"
    let inMemory = disagreement.isNegated != disagreement.inMemory
    let inStore = disagreement.isNegated ? disagreement.inStore.map { "\(!$0)" } ?? "neither" : answer
    return "\(why(disagreement.cause)): memory says \(asked) is \(inMemory), the store says \(inStore)"
  }

  private func why(_ cause: Disagreement.Cause) -> String {
    switch cause {
    case .nilCompared(let side): "\(side) is nil"
    case .nilsCompared: "both sides are nil"
    case .nilInList: "there is a nil in the list"
    case .differentClasses(let left, let right):
      "\(ErrorReport.article(left)) is compared with \(ErrorReport.article(right))"
    case .nilElement(let collection): "an element of \(collection) is nil"
    case .selection(let collection): "other elements of \(collection) are selected"
    case .other: "the rules differ"
    }
  }

  // MARK: What helps

  private func advice(_ cause: Parity.Cause) -> [String] {
    switch cause {
    case .answer(let disagreement): return advice(disagreement)
    case .unsavedObject, .unsavedChange, .unsavedDeletion: return ["to make both agree: save"]
    case .transient: return ["to make both agree: keep the value in an attribute that is stored"]
    case .unexplained: return []
    }
  }

  private func advice(_ disagreement: Disagreement) -> [String] {
    guard case .nilCompared(let side) = disagreement.cause else { return [] }
    let clause = disagreement.isNegated ? ~disagreement.clause : disagreement.clause
    func asks(_ comparator: Queries.Comparator) -> Queries.Predicate {
      .comparison(Comparison(side, comparator, .constant(.null)))
    }
    return [
      "to make both agree: \(clause | asks(.equal)) to take them in",
      "or \(clause & asks(.notEqual)) to leave them out",
    ]
  }
}
