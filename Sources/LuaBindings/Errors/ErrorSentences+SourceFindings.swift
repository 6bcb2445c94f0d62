internal import Refusals
package import SourceChecking

extension SourceFinding {
  /// The finding in words, with what to write instead.
  package var sentence: String {
    switch fact {
    case .predicate(let fact): fact.sentence
    case .swift(.unknownProperty(let name, let entity, let nearest)),
      .swift(.predicate(.unknownProperty(let name, let entity, let nearest))):
      "\(entity) keeps no '\(name)', so that the predicate fails when it is fetched\(ErrorReport.hint(nearest))"
    case .swift(let fact): fact.sentence
    case .refusal(let refusal): Self.sentence(refusal)
    case .placeholder(let placeholder, let argument, let instead):
      "\(placeholder) takes another kind of argument than \(argument); write \(instead)\(Self.object(placeholder))"
    case .argumentCount(let placeholders, let given):
      "the format has \(ErrorReport.count(placeholders, "placeholder")), and \(ErrorReport.count(given, "argument")) "
        + "\(given == 1 ? "is" : "are") given"
    case .text(let source, let isKey):
      isKey
        ? "the key \(source) is put into the text of the predicate; give it with %K"
        : "\(source) is put into the text of the predicate, where quotes in it change the meaning; give it with %@"
    case .entity(let name, let nearest): "there is no entity '\(name)'\(ErrorReport.hint(nearest))"
    case .key(let name, let entity, let nearest): "\(entity) has no property '\(name)'\(ErrorReport.hint(nearest))"
    case .silenceWithoutReason: "say why: // perilune: ignore <reason>"
    }
  }

  private static func object(_ placeholder: String) -> String {
    placeholder == "%@" ? ", or give %@ an NSNumber: it takes a number for the address of an object" : ""
  }

  private static func sentence(_ refusal: Refusal) -> String {
    let rule = refusal.rule
    let apple = refusal.appleText.map { " (\"\($0)\")" } ?? ""
    let versions = rule.versions.map { " on \($0)" } ?? ""
    let way = refusal.wayRound.map { "write \($0)" } ?? rule.advice
    let effect =
      switch rule.severity {
      case .refused: "Apple's store refuses \(refusal.part)\(versions)\(apple): "
      case .crash: "\(refusal.part) ends the process\(versions)\(apple): "
      case .wrong, .slow: ""
      }
    return effect + rule.summary + " Instead: " + way
  }
}
