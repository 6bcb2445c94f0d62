internal import Modeling
internal import Queries
internal import SwiftParsing

extension ErrorReport {
  static func report(_ error: SwiftReadingError) -> ErrorReport {
    let details = error.issues.map { issue in
      Detail(
        issue.fact.sentence, excerpt: issue.origin.map { Excerpt(text: $0.text, range: $0.range, file: error.path) })
    }
    return ErrorReport(
      error.subject.rawValue, details.map(\.message).joined(separator: "\n"), details: details,
      exitStatus: error.subject == .model ? 69 : 1)
  }
}

extension SwiftReadingError.Fact {
  /// The error, and the form that works.
  var sentence: String {
    switch self {
    case .unexpected(let found, let expected): "expected \(expected), found \(found)"
    case .unterminated(let sign): "\(sign) is not closed"
    case .invalidEscape(let text): "'\(text)' is not an escape sequence"
    case .invalidNumber(let text): "'\(text)' is not a number in the range of Int or Double"
    case .tooDeep: "the source is nested more than \(Nesting.swiftSource) levels deep"
    case .interpolation:
      "a predicate takes no interpolated text; put the text together before it: let text = \"...\""
    case .method(let name): "a predicate cannot call \(name)\(Self.instead(of: name))"
    case .call(let name): "a predicate cannot call \(name)\(Self.insteadOfCall(name))"
    case .computedInside(let text, let constant):
      "a predicate captures only constants; compute it first: let \(constant) = \(text)"
    case .enumerationCase(let text):
      "\(text) cannot be stored or compared; keep the raw value in an attribute, and compare that with a constant:"
        + " let raw = \(text.hasPrefix(".") ? "Kind" : "")\(text)\(text.hasSuffix(".rawValue") ? "" : ".rawValue")"
    case .objectComparison(let text):
      "objects are compared by their identifiers: let id = object.persistentModelID, and"
        + " \(text).persistentModelID == id"
    case .statement(let word): "a predicate is one expression, without '\(word)'\(Self.insteadOfStatement(word))"
    case .severalStatements: "a predicate is one expression; join conditions with && and ||"
    case .assignment: "a predicate changes nothing; two values are compared with =="
    case .keyPath(let text): "a predicate takes no key path; write $0\(text.drop { $0 != "." })"
    case .missingElse: "an 'if' in a predicate needs an 'else': else { false }"
    case .typeTest(let text):
      "a predicate cannot ask for '\(text)': 'is' and 'as?' are for objects of an entity that is known, before a member"
    case .unknownSubentity(let name, let root, let nearest):
      "no entity '\(name)' inherits from \(root)\(ErrorReport.hint(nearest))"
    case .swiftOperator(let sign): "a predicate has no operator \(sign)"
    case .joinedText: "a predicate cannot join texts; compare the parts, or join constants before it"
    case .memberOfCollection(let name, let collection):
      "\(collection) is a collection; ask its elements: \(collection).contains { $0.\(name) == ... }"
    case .unknownMember(let name, let owner): "a predicate cannot ask for '\(name)' of \(owner)"
    case .needsUnwrapping(let text):
      "\(text) is optional and must be unwrapped: == true or ?? false for a condition, ?. or ?? for a value"
    case .notOptional(let text): "\(text) is not optional; leave out ? and ??"
    case .neverNil(let text): "\(text) is not optional, so that it is never nil"
    case .mixedTypes(let left, let right):
      "\(ErrorReport.article(left)) is not compared or computed with \(ErrorReport.article(right)); give a constant the attribute's type"
    case .bindingWithConditions: "'if let' takes no other conditions in a predicate; nest another 'if' in its braces"
    case .unnamedInBinding: "within 'if let' the object needs a name: #Predicate<Quake> { quake in ... }"
    case .oneSidedRange(let text): "a predicate takes no range with one end, \(text); compare with >= or <="
    case .memberWithoutType(let text, let type):
      "\(text) needs its type; declare it before the predicate: let same = \(type)\(text)"
    case .notACondition(let text): "expected a condition, found \(text)"
    case .unknownEntity(let name, let nearest): "there is no entity '\(name)'\(ErrorReport.hint(nearest))"
    case .unknownProperty(let name, let entity, let nearest):
      "\(entity) has no property '\(name)'\(ErrorReport.hint(nearest))"
    case .wrongEntity(let name, let expected): "expected \(expected), found \(name)"
    case .missingEntity: "the request does not say its entity: FetchDescriptor<Quake>(), or var quakes: [Quake]"
    case .noPredicate: "expected #Predicate { ... } or NSPredicate(format: ...)"
    case .noExpression: "expected #Expression<Quake, Double> { ... }"
    case .otherResult(let found, let declared):
      "the expression is \(ErrorReport.article(found)), not \(ErrorReport.article(declared))"
    case .noRequest: "expected a property with @FetchRequest or @Query, a FetchDescriptor or an NSFetchRequest"
    case .severalRequests(let names):
      "there are \(Quantity.grouped(names.count)) requests, \(ErrorReport.list(names)); name one: FetchRequest { fetchRequest = text, named = \"\(names.first ?? "")\" }"
    case .unknownRequest(let name, let nearest): "the source declares no request '\(name)'\(ErrorReport.hint(nearest))"
    case .severalPredicates(let names):
      "there are \(Quantity.grouped(names.count)) predicates, \(ErrorReport.list(names)); give one of them, or join them"
    case .undeclaredRequest(let name):
      "the request '\(name)' is not declared here; give its declaration too: \(Self.declaration(ofRequest: name))"
    case .notRead(let text): "'\(text)' may change the request and cannot be read; write what it does to it"
    case .dependsOnCondition(let name):
      "\(name) depends on a condition; of a request only the predicate may: give one of the two"
    case .missingArgument(let label, let function): "\(function) needs the argument \(label)"
    case .notAKeyPath(let text): "expected a key path such as \\.time or \"time\", found \(text)"
    case .unknownArgument(let name, let function, let nearest):
      "\(function) cannot be read with '\(name)'\(ErrorReport.hint(nearest))"
    case .unknownRequestProperty(let name, let nearest): "a request has no '\(name)'\(ErrorReport.hint(nearest))"
    case .notAConstant(let text): "the value of '\(text)' is not known here; write it out, or declare it before"
    case .notASortDescriptor(let text):
      "expected a sort descriptor such as SortDescriptor(\\.time, order: .reverse), found \(text)"
    case .historyCondition(let text):
      "a history is asked by $0.token > or < a token, $0.timestamp < a date, $0.author == a name and the entityName of a"
        + " change, not by \(text)"
    case .noModel: "expected classes with @Model"
    case .severalSchemas(let names):
      "there are several versions of the schema, \(ErrorReport.list(names)); choose one: --schema \(names.last ?? "")"
        + ", or loadModel(path, \"\(names.last ?? "")\")"
    case .unknownSchema(let name, []): "there is no schema '\(name)': no type is a VersionedSchema"
    case .unknownSchema(let name, let known): "there is no schema '\(name)'; there are \(ErrorReport.list(known))"
    case .severalTypes(let name): "there are several classes \(name); give those of one version of the schema"
    case .unknownType(let name, let nearest):
      "there is no type '\(name)' here\(ErrorReport.hint(nearest))\(nearest == nil ? "; give its declaration too" : "")"
    case .unknownTypeOfProperty(let name): "the type of '\(name)' must be written: var \(name): String"
    case .notARelationship(let name):
      "'\(name)' leads to no class with @Model; @Attribute(...) is for values"
    case .wrongDefault(let text, let expected): "the default \(text) is not of type \(expected)"
    case .model(let error): error.sentence
    case .predicate(let fact): fact.sentence
    }
  }

  /// The equivalent of a Swift method, if there is one.
  private static func instead(of method: String) -> String {
    switch method {
    case "hasPrefix": "; use starts(with:)"
    case "hasSuffix": "; use NSPredicate(format: \"... ENDSWITH %@\", text), or keep the end in an attribute of its own"
    case "lowercased", "uppercased", "localizedLowercase", "localizedUppercase":
      "; use localizedStandardContains, or caseInsensitiveCompare(text) == same, with let same = ComparisonResult.orderedSame"
    case "localizedCaseInsensitiveContains": "; use localizedStandardContains"
    case "map", "compactMap", "reduce": "; ask the elements by contains(where:), allSatisfy, filter { }.count or max()"
    case "count": " with a condition; use filter { }.count"
    case "sorted": "; the order belongs to the request: sortBy, sortDescriptors"
    case "first", "last": " with a condition; use contains(where:)"
    case "trimmingCharacters", "replacingOccurrences", "prefix", "suffix", "dropFirst", "split":
      "; keep the result in an attribute of its own"
    case "addingTimeInterval", "timeIntervalSince", "distance":
      "; compute the date to compare with before the predicate"
    default: ""
    }
  }

  /// The declaration of a request: a static property of `Quake` for `Quake.strong`, otherwise a property of a view.
  private static func declaration(ofRequest name: String) -> String {
    let parts = name.split(separator: ".")
    guard parts.count == 2 else { return "@FetchRequest(...) var \(name.drop { $0 == "$" })" }
    return "extension \(parts[0]) { static let \(parts[1]) = ... }"
  }

  private static func insteadOfCall(_ name: String) -> String {
    switch name {
    case "Int", "Double", "Float", "Decimal", "Int64", "Int32", "Int16":
      "; compare with a constant of the attribute's own type"
    case "abs", "min", "max", "pow", "sqrt", "floor", "ceil", "round":
      "; compare both sides, or use NSPredicate(format:), which has functions"
    default: "; keep its result in an attribute, or use NSPredicate(format:)"
    }
  }

  private static func insteadOfStatement(_ word: String) -> String {
    switch word {
    case "let", "var": "; declare constants before the predicate"
    case "switch", "guard": "; use if and else, or && and ||"
    case "for", "while", "repeat": "; ask the elements by contains(where:) or allSatisfy"
    default: ""
    }
  }
}
