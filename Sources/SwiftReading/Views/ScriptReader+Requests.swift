internal import Queries
internal import SwiftParsing

// The requests and predicates of a text, and the text without its views.
extension ScriptReader {
  /// Reads the requests of properties, and notes the names in them that have no value.
  mutating func readRequests() {
    for statement in statements where isView(statement) { viewRanges.append(statement.range) }
    script.requestSource = withoutViews
    let declared = requestProperties(statements).map { (name: $0.name, isQuery: $0.wrapper == "Query") }
    let reader = try? SourceReader.reading(script.requestSource, in: scope.model, of: nil)
    // An initialiser may stand alone: `_quakes = FetchRequest(...)`.
    let names = declared.map(\.name)
    let others = (reader?.properties ?? []).filter { !names.contains($0.name) }
    for other in others {
      self.names[other.name] = DeclaredName(lua: luaName(other.name), kind: .results(entity: other.request.entity.name))
    }
    let properties = declared + others.map { (name: $0.name, isQuery: isQuery($0.name)) }
    script.source = source(reader, isProperty: !properties.isEmpty)
    let parameters = SourceParameters(text).types
    let constants = computedConstants(statements)
    func variables(_ predicate: Predicate?) -> [SwiftScript.Variable] {
      let order = SwiftParserTokens.tokens(of: text).compactMap {
        if case .name(let name) = $0.kind { name } else { nil }
      }
      let names = (predicate?.variables ?? []).sorted {
        (order.firstIndex(of: $0) ?? .max, $0) < (order.firstIndex(of: $1) ?? .max, $1)
      }
      return names.map { SwiftScript.Variable(name: $0, type: parameters[$0], source: constants[$0]) }
    }
    if properties.isEmpty, let source = script.source {
      let found =
        source == .request ? reader?.found?.predicate : (reader?.predicate ?? reader?.declaredPredicate)?.predicate
      if source != .expression { script.variables = variables(found) }
      script.sourceName = lastConstant(statements).map { luaName($0) }
    }
    for property in properties {
      let found = reader?.properties.last { $0.name == property.name }?.request
      script.requests.append(
        SwiftScript.Request(
          name: self.names[property.name]?.lua ?? luaName(property.name),
          source: properties.count == 1 ? script.requestSource : source(of: property.name), isQuery: property.isQuery,
          variables: variables(found?.predicate)))
    }
  }

  /// Whether `_name = Query(...)` stands in the text.
  private func isQuery(_ name: String) -> Bool {
    let tokens = SwiftParserTokens.tokens(of: text)
    return tokens.indices.dropLast(2).contains { index in
      tokens[index].kind == .name("_" + name) && tokens[index + 1].kind == .sign("=")
        && tokens[index + 2].kind == .name("Query")
    }
  }

  /// The kind of the source, apart from its views: by its requests, or by its words if it has mistakes.
  private func source(_ reader: SourceReader?, isProperty: Bool) -> SwiftScript.Source? {
    if isProperty || reader?.found != nil { return .request }
    if let reader {
      if reader.predicate != nil || reader.declaredPredicate != nil { return .predicate }
      return reader.expression == nil ? nil : .expression
    }
    let makers: Set<String> = [
      "NSFetchRequest", "FetchDescriptor", "ResultsObserver", "FetchRequest", "SectionedFetchRequest", "Query",
      "fetchRequest",
    ]
    var found: SwiftScript.Source?
    for token in SwiftParserTokens.tokens(of: script.requestSource) {
      switch token.kind {
      case .name(let name) where makers.contains(name): return .request
      case .name("NSPredicate"), .name("NSCompoundPredicate"), .pound("Predicate"): found = .predicate
      case .pound("Expression"): found = found ?? .expression
      default: break
      }
    }
    return found
  }

  /// The last constant of the text, or of an extension, that is a request or a predicate.
  private func lastConstant(_ statements: [SwiftStatement]) -> String? {
    for statement in statements.reversed() {
      switch statement.kind {
      case .declaration(let declaration):
        if let value = declaration.value, isRequestValue(value) { return declaration.name }
      case .type(let type):
        if let name = lastConstant(type.statements) { return name }
      case .value, .returned: return nil
      default: break
      }
    }
    return nil
  }

  func requestProperties(_ statements: [SwiftStatement]) -> [SwiftDeclaration] {
    statements.flatMap { statement -> [SwiftDeclaration] in
      switch statement.kind {
      case .declaration(let declaration):
        ["FetchRequest", "SectionedFetchRequest", "Query"].contains(declaration.wrapper) ? [declaration] : []
      case .type(let type): requestProperties(type.statements)
      default: []
      }
    }
  }

  /// The constants without a literal value, with their descriptions.
  private func computedConstants(_ statements: [SwiftStatement]) -> [String: String] {
    var found: [String: String] = [:]
    for statement in statements {
      switch statement.kind {
      case .declaration(let declaration):
        if let value = declaration.value { found[declaration.name] = line(value.range) }
      case .scope(_, _, let inner): found.merge(computedConstants(inner)) { first, _ in first }
      case .type(let type): found.merge(computedConstants(type.statements)) { first, _ in first }
      default: break
      }
    }
    return found
  }

  /// Whether a statement of the text itself is a view, a closure on one or something that acts.
  private func isView(_ statement: SwiftStatement) -> Bool {
    switch statement.kind {
    case .value(let value):
      switch value.kind {
      case .call(let callee, _, _):
        var root = callee
        while true {
          switch root.kind {
          case .member(let base?, _): root = base
          case .call(let inner, _, _): root = inner
          default:
            if case .name(let name) = root.kind { return !Self.makers.contains(name) }
            if case .member(nil, _) = root.kind { return true }
            return false
          }
        }
      case .conditional: return true
      default: return false
      }
    case .assignment(let target, _):
      if case .name(let name) = target.kind, name.hasPrefix("_") { return false }
      return target.mentionsProjection || isResults(target.root)
    default: return false
    }
  }

  private static let makers: Set<String> = [
    "NSPredicate", "NSCompoundPredicate", "NSFetchRequest", "FetchRequest", "SectionedFetchRequest", "FetchDescriptor",
    "Query", "ResultsObserver", "SortDescriptor", "NSSortDescriptor", "HistoryDescriptor",
  ]

  /// Whether a name is that of live results, here or in the session.
  func isResults(_ name: String?) -> Bool {
    guard let name else { return false }
    if case .results? = names[name]?.kind { return true }
    if names[name] == nil, case .results? = scope.kind(name) { return true }
    return false
  }

  private var withoutViews: String { blanking(viewRanges) }

  /// The source with blanks in place of some of it.
  private func blanking(_ ranges: [Range<Int>]) -> String {
    var bytes = bytes
    for range in ranges {
      for place in range.clamped(to: 0..<bytes.count) where bytes[place] != 0x0A { bytes[place] = 0x20 }
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  /// The source with the request of one property alone.
  private func source(of property: String) -> String {
    blanking(viewRanges + rangesOfOthers(property, statements))
  }

  private func rangesOfOthers(_ property: String, _ statements: [SwiftStatement]) -> [Range<Int>] {
    statements.flatMap { statement -> [Range<Int>] in
      switch statement.kind {
      case .declaration(let declaration):
        let isRequest = ["FetchRequest", "SectionedFetchRequest", "Query"].contains(declaration.wrapper)
        return isRequest && declaration.name != property ? [statement.range] : []
      case .assignment(let target, _):
        guard let root = target.memberPath?.first(where: { $0 != "self" }), root.hasPrefix("_"),
          root.dropFirst() != property, isResults(String(root.dropFirst()))
        else { return [] }
        return [statement.range]
      case .scope(_, _, let inner): return rangesOfOthers(property, inner)
      case .type(let type): return rangesOfOthers(property, type.statements)
      default: return []
      }
    }
  }
}

extension SourceReader {
  /// The request that is no property's; nil for none.
  var found: FetchRequest? { request ?? declaredRequest }
}
