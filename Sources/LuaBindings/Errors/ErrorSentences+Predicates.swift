internal import Modeling
internal import Queries

extension ErrorReport {
  static func report(_ error: PredicateError) -> ErrorReport {
    let details = error.issues.map { issue in
      Detail(issue.fact.sentence, excerpt: issue.origin.map { Excerpt(text: $0.text, range: $0.range) })
    }
    return ErrorReport("predicate", details.map(\.message).joined(separator: "\n"), details: details)
  }
}

extension PredicateError.Fact {
  var sentence: String {
    switch self {
    case .unexpected(let found, let expected): "expected \(expected), found \(found)"
    case .unterminatedString: "the string is not closed"
    case .invalidEscape(let text): "'\(text)' is not an escape sequence"
    case .invalidNumber(let text): "'\(text)' is not a number"
    case .unknownOperator(let name, let nearest): "'\(name)' is not an operator\(ErrorReport.hint(nearest))"
    case .unknownOption(let option, let comparator): "\(comparator) has no option '\(option)'; there are c, d, n and l"
    case .unknownFunction(let name, let nearest): "there is no function '\(name)'\(ErrorReport.hint(nearest))"
    case .wrongArgumentCount(let function, let expected, let given):
      "\(function) takes \(expected), but \(given) \(given == 1 ? "was" : "were") given"
    case .unknownPlaceholder(let text): "'\(text)' is not a placeholder; %@ takes a value and %K a key path"
    case .tooFewArguments(let expected, let given), .tooManyArguments(let expected, let given):
      "the format takes \(ErrorReport.count(expected, "argument")), but \(given) \(given == 1 ? "was" : "were") given"
    case .wrongArgument(let placeholder, let found): "\(placeholder) cannot take \(ErrorReport.article(found))"
    case .placeholderInQuotes(let placeholder):
      "\(placeholder) within quotes is text; without the quotes it takes the argument"
    case .noMeaning(let construct, let remedy): "\(construct) has no meaning here\(remedy.sentence)"
    case .keyOfValue(let key, let instead):
      "'.\(key)' follows a value that is not an object\(Self.remedy(instead))"
    case .methodCall(let name, let instead):
      "'.\(name)(…)' is not part of the format language\(Self.remedy(instead))"
    case .tooDeep(let limit): "the predicate is nested more than \(limit) levels deep"
    case .tooLarge(let limit):
      "the predicate has more than \(ErrorReport.count(limit, "comparison")); to look for many values write IN and a list"
    case .unknownProperty(let name, let entity, let nearest):
      "\(entity) has no property '\(name)'\(ErrorReport.hint(nearest))"
    case .unquotedText(let name, let entity, let nearest, let instead):
      "\(entity) has no property '\(name)'; did you mean '\(name)' in quotes: \(instead)\(nearest.map { ", or '\($0)'" } ?? "")?"
    case .propertyOfSubentity(let name, let entity, let subentity, let instead):
      "\(entity) has no property '\(name)'; its subentity \(subentity) has one: write \(instead), or fetch \(subentity) instead"
    case .unknownSubentity(let name, let entity, let nearest):
      "no entity '\(name)' inherits from \(entity)\(ErrorReport.hint(nearest))"
    case .notARelationship(let name, let entity, let type, let instead):
      "'\(name)' of \(entity) is \(ErrorReport.article(type.rawValue)), not a relationship: nothing can follow it"
        + Self.remedy(instead)
    case .toManyWithoutQuantifier(let path):
      "'\(path)' leads to many objects: put ANY, ALL or NONE before it, or an aggregate such as @count behind it"
    case .quantifierNeedsToMany(let modifier, let path):
      "\(modifier.rawValue) needs a path through a to-many relationship, and '\(path)' has none"
    case .typeMismatch(let comparator, let left, let right, let instead):
      "\(comparator) cannot compare \(left) with \(right)\(Self.remedy(instead))"
    case .unsupported(let what): what.sentence
    case .wrongOperand(let function, let expected, let found, let instead):
      "\(function) takes \(expected), not \(found)\(Self.remedy(instead))"
    case .unknownVariable(let name, let nearest): "there is no variable $\(name)\(ErrorReport.hint(nearest))"
    case .unboundVariable(let name, let nearest):
      "$\(name) has no value; give it one with :bind\(ErrorReport.hint(nearest))"
    case .invalidRegularExpression(let pattern, let reason): "'\(pattern)' is not a regular expression: \(reason)"
    case .unknownEntity(let name, let nearest): "there is no entity '\(name)'\(ErrorReport.hint(nearest))"
    case .negativeCount(let property, let count): "\(property) is \(count); it is 0 or more"
    case .sameColumns(let name): "two columns of propertiesToFetch are called \(name)"
    case .groupedResultType(let type):
      "groups and aggregates are fetched with resultType \"dictionaries\", not \"\(type.rawValue)\""
    case .outsideGroup(let path): "\(path) is neither in propertiesToGroupBy nor within an aggregate"
    case .havingWithoutGroups: "havingPredicate needs propertiesToGroupBy"
    case .aggregateAsGroup(let text): "\(text) has a value for a group, so it cannot make the groups"
    case .sectionValuesWithoutSections: "sectionValues needs a sectionIdentifier, which is no function"
    case .sectionValueOfEachObject(let value):
      "'\(value)' has a value for each object; a section has aggregates such as \"count\" and \"max(magnitude)\""
    case .sectionedResultType(let type): "sections are of objects; resultType is \"\(type.rawValue)\""
    case .sectionBehind(let key, let first):
      "the sections are by \(key), which the order names after \(first): put it first"
    case .sectionsMixed(let key):
      "the sections are by \(key), and a case-insensitive order of it would mix sections: "
        + "sort it by \"binary\", \"localized\" or \"standard\""
    }
  }

  /// The suggested replacement, if there is one.
  private static func remedy(_ instead: String?) -> String { instead.map { "; write \($0)" } ?? "" }
}

extension PredicateError.Unsupported {
  fileprivate var sentence: String {
    switch self {
    case .transient(let name, let isRelationship):
      "\(name), a transient \(isRelationship ? "relationship" : "attribute"), which the store does not have"
    case .notKept(let name): "\(name) is not kept in the store"
    case .keyOfBoundValue(let path): "\(path), a key of a bound value"
    case .conditionWithoutTruth: "a condition that is not true or false"
    case .listAsValue: "a list as a value"
    case .subqueryAsValue: "SUBQUERY as a value; compare its @count"
    case .comparison(let comparator): "\(comparator) of this"
    case .betweenWithoutBounds: "BETWEEN without two bounds"
    case .manyValues(let function): "\(function) as a value"
    case .notACollection(let function): "\(function) of a value that is not a collection"
    case .subscriptOfNoCollection: "a subscript of a value that is not a collection"
    case .subqueryOfNoCollection: "SUBQUERY over a value that is not a collection"
    case .subqueryOfValues: "SUBQUERY over values"
    case .outsideGroups(let function): "\(function) outside a grouped request"
    case .aggregateOfObjects(let function): "\(function) of objects"
    case .aggregateOfCollections(let function):
      "\(function) is not computed over a relationship of all objects of a group; count, sum, average, min and max are"
    case .mixedDecimals(let function): "\(function) of decimals among other values"
    case .derived(let function): "\(function) in a derived attribute"
    case .noInverse(let name): "\(name) has no inverse"
    }
  }
}

extension PredicateError.Remedy {
  fileprivate var sentence: String {
    switch self {
    case .bindVariables: "; write the variable in its place and give its value with :bind"
    case .listTypes: ", because the conforming types are not known; write type IN { 'public.png', … }"
    case .nameTheKey: "; name the key, or join several comparisons with OR"
    case .useSubquery: "; use SUBQUERY over a relationship, or the result of another request as an argument"
    case .compareCoordinates: "; compare the latitude and the longitude with BETWEEN"
    case .giveNumber: ", as an object would match at one time and not at another; give a number as an argument"
    case .write(let text): "; write \(text)"
    case .none: ""
    }
  }
}
