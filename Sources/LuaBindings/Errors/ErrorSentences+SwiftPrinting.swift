internal import SwiftPrinting

extension ErrorReport {
  static func report(_ error: SwiftPrintingError) -> ErrorReport {
    let place = error.clause.isEmpty ? "" : "\(error.clause): "
    return ErrorReport("swift", place + error.fact.sentence)
  }
}

extension SwiftPrintingError.Fact {
  fileprivate var sentence: String {
    switch self {
    case .notInMacro(let what, let instead): "#Predicate does not have \(what); \(instead.sentence)"
    case .differentTypes(let left, let right):
      "#Predicate does not compare \(ErrorReport.article(left)) with \(ErrorReport.article(right)); use \"nspredicate\""
    case .notAnIdentifier(let name): "'\(name)' is not a name in Swift; use \"nspredicate\""
    case .unknownType(let name):
      "the type of $\(name) is not known from what it is compared with; name the entity, or give it a value with :bind"
    case .notInFormat(let what, let instead): "Apple's predicates do not have \(what); \(instead.sentence)"
    case .unwritableConstant(let value): "no Swift expression makes the constant \(value)"
    case .notInForm(let form, let what, let instead): "\"\(form.rawValue)\" does not have \(what); \(instead.sentence)"
    case .needsEntity(let form): "\"\(form.rawValue)\" needs an entity: swift(\"\(form.rawValue)\", { entity = ... })"
    case .untestableInheritance:
      "the classes of a test do not inherit, so that it cannot ask for a subentity; leave test out"
    case .untestable(let form):
      "a test is written for \"macro\" and \"nspredicate\" without variables, not for \"\(form.rawValue)\""
    }
  }
}

extension SwiftPrintingError.Alternative {
  fileprivate var sentence: String {
    switch self {
    case .form(let form): "use \"\(form.rawValue)\""
    case .storedAttribute: "keep it in an attribute, such as a derived one, and compare that"
    case .format(let text): "write \(text)"
    }
  }
}
