internal import Modeling
internal import Queries
internal import SwiftParsing

extension MacroPrinter {
  /// Many objects, and the value of each that is used.
  struct Objects {
    var term: SwiftTerm
    var entity: Entity
    /// From an element on; empty for the element itself.
    var rest: PropertyPath
  }

  // MARK: Where they come from

  /// Whether an expression is a collection of objects or of their values.
  func isCollection(_ expression: Queries.Expression) -> Bool {
    switch expression {
    case .aggregate, .constant(.list), .argument(.list, _), .subquery: true
    case .path(let path): (try? path.resolve(in: entity))?.isToMany == true
    case .variablePath(let name, let path): (scope[name].flatMap { try? path.resolve(in: $0.entity) })?.isToMany == true
    default: false
    }
  }

  /// The objects of a path through a to-many, or those of them that a SUBQUERY finds.
  mutating func objects(_ expression: Queries.Expression) throws(SwiftPrintingError) -> Objects {
    switch expression {
    case .path(let path): return try objects(path, of: try value(.object))
    case .variablePath(let name, let path): return try objects(path, of: try value(.variable(name)))
    case .subquery(let source, let name, let predicate):
      var objects = try objects(source)
      guard objects.rest.components.isEmpty else { throw unsupported("a SUBQUERY of \(source.description)") }
      let filter = try closure(over: objects.entity, as: name) { printer throws(SwiftPrintingError) in
        try printer.condition(predicate)
      }
      objects.term.code = .sequence([objects.term.member("filter "), filter.code])
      objects.term.endsOptional = false
      objects.term.level = .postfix
      return objects
    default: throw unsupported("the collection \(expression.description)")
    }
  }

  private mutating func objects(_ path: PropertyPath, of start: SwiftTerm) throws(SwiftPrintingError) -> Objects {
    guard case .object(let entity) = start.type else { throw unsupported("a key of a value") }
    let resolved = try resolve(path, in: entity)
    var term = start
    for (position, hop) in resolved.hops.enumerated() {
      term = try append(hop, to: term)
      if hop.isToMany {
        term.type = .list(.object(hop.destination))
        return Objects(
          term: term, entity: hop.destination, rest: PropertyPath(Array(path.components[(position + 1)...])))
      }
    }
    throw unsupported("the collection \(path.text)")
  }

  // MARK: Closures

  /// A closure over elements, whose parameter replaces the variable `name`.
  mutating func closure(
    over entity: Entity, as name: String,
    _ body: (inout MacroPrinter) throws(SwiftPrintingError) -> SwiftTerm
  ) throws(SwiftPrintingError) -> (code: SwiftCode, flag: Bool?) {
    let outer = scope
    let parameter = newParameter()
    scope[name] = (parameter, entity)
    let condition = try body(&self)
    scope = outer
    weight += 1
    let closure = SwiftClosure(parameter: parameter, name: SwiftNames.object(entity), body: condition.code)
    return (.closure(closure), condition.constantFlag)
  }

  /// Whether `test` holds for one of the objects, or for all of them.
  mutating func quantify(
    _ objects: Objects, all: Bool,
    _ test: (inout MacroPrinter, Queries.Expression) throws(SwiftPrintingError) -> SwiftTerm
  ) throws(SwiftPrintingError) -> SwiftTerm {
    // A name that no variable of the format language can have.
    let name = "#\(scope.count)"
    let element: Queries.Expression =
      objects.rest.components.isEmpty ? .variable(name) : .variablePath(name, objects.rest)
    let closure = try closure(over: objects.entity, as: name) { printer throws(SwiftPrintingError) in
      try test(&printer, element)
    }
    if closure.flag == all { return .constant(all) }
    if closure.flag != nil, !objects.term.isOptional {
      let isEmpty = SwiftTerm.condition(objects.term.member("isEmpty"))
      return all ? isEmpty : !isEmpty
    }
    let code = SwiftCode.sequence([objects.term.member(all ? "allSatisfy " : "contains "), closure.code])
    guard objects.term.isOptional else { return .condition(code) }
    return .condition(.sequence([code, .text(all ? " != false" : " == true")]), .comparison)
  }

  /// ANY, ALL and NONE.
  mutating func quantified(_ comparison: Comparison) throws(SwiftPrintingError) -> SwiftTerm {
    var direct = comparison
    direct.modifier = .direct
    if let elements = comparison.left.elementsOfList {
      var terms: [SwiftTerm] = []
      for element in elements {
        direct.left = element
        terms.append(try self.comparison(direct))
      }
      let joined = SwiftTerm.joined(terms, comparison.modifier == .all ? "&&" : "||")
      return comparison.modifier == .none ? !joined : joined
    }
    let objects = try objects(comparison.left)
    let term = try quantify(objects, all: comparison.modifier == .all) { printer, element throws(SwiftPrintingError) in
      direct.left = element
      return try printer.comparison(direct)
    }
    return comparison.modifier == .none ? !term : term
  }

  // MARK: Numbers of objects

  /// Their number.
  mutating func count(_ source: Queries.Expression) throws(SwiftPrintingError) -> SwiftTerm {
    let objects = try objects(source)
    if (try? objects.rest.resolve(in: objects.entity))?.isToMany == true {
      throw unsupported("a count of \(source.description)")
    }
    let count = SwiftTerm(code: objects.term.member("count"), type: .integer, name: objects.term.name)
    guard objects.term.isOptional else { return count }
    var result = count
    result.code = .sequence([count.code, .text(" ?? 0")])
    result.level = .nilCoalescing
    return result
  }

  /// `length(name) == 0` of a text that is there.
  private mutating func emptiness(_ comparison: Comparison) throws(SwiftPrintingError) -> SwiftTerm? {
    guard case .function(.length, let arguments, _) = comparison.left, arguments.count == 1,
      comparison.right.constantValue == .int(0), [.equal, .notEqual, .greater].contains(comparison.comparator)
    else { return nil }
    let text = try value(arguments[0])
    guard text.type == .string, !text.isOptional else { return nil }
    let isEmpty = SwiftTerm.condition(text.member("isEmpty"))
    return comparison.comparator == .equal ? isEmpty : !isEmpty
  }

  /// A count compared with 0 asks whether there is any.
  mutating func counting(_ comparison: Comparison) throws(SwiftPrintingError) -> SwiftTerm? {
    if let empty = try emptiness(comparison) { return empty }
    guard case .collection(.count, let source, _) = comparison.left,
      case .constant(.int(let number), _) = try operand(comparison.right)
    else { return nil }
    let isAny: Bool
    switch (comparison.comparator, number) {
    case (.greater, 0), (.notEqual, 0), (.greaterOrEqual, 1): isAny = true
    case (.equal, 0), (.lessOrEqual, 0), (.less, 1): isAny = false
    default: return nil
    }
    if case .subquery(let inner, let name, let predicate) = source {
      let objects = try objects(inner)
      guard objects.rest.components.isEmpty else { throw unsupported("a SUBQUERY of \(inner.description)") }
      let filter = try closure(over: objects.entity, as: name) { printer throws(SwiftPrintingError) in
        try printer.condition(predicate)
      }
      if filter.flag == false { return .constant(!isAny) }
      let code = SwiftCode.sequence([objects.term.member("contains "), filter.code])
      let exists: SwiftTerm =
        objects.term.isOptional
        ? .condition(.sequence([code, .text(" == true")]), .comparison) : .condition(code)
      return isAny ? exists : !exists
    }
    let objects = try objects(source)
    guard !objects.term.isOptional else { return nil }
    let isEmpty = SwiftTerm.condition(objects.term.member("isEmpty"))
    return isAny ? !isEmpty : isEmpty
  }

  /// `@max` is greater than a value when an element is, and less when all elements are, of which there is one.
  mutating func extreme(_ comparison: Comparison) throws(SwiftPrintingError) -> SwiftTerm? {
    guard case .collection(let function, let source, let key) = comparison.left,
      function == .maximum || function == .minimum
    else { return nil }
    var objects = try objects(source)
    if let key { objects.rest = PropertyPath(objects.rest.components + key.components) }
    let right = comparison.right
    let comparator = comparison.comparator
    let isGreater: Bool
    switch comparator {
    case .greater, .greaterOrEqual: isGreater = true
    case .less, .lessOrEqual: isGreater = false
    default: throw unsupported("\(function.rawValue) \(comparator.rawValue)", instead: .storedAttribute)
    }
    let exists = try quantify(objects, all: false) { printer, element throws(SwiftPrintingError) in
      try printer.comparison(Comparison(element, comparator, right))
    }
    if isGreater == (function == .maximum) { return exists }
    let others = try quantify(objects, all: true) { printer, element throws(SwiftPrintingError) in
      let isNil = try printer.comparison(Comparison(element, .equal, .constant(.null)))
      return .joined([isNil, try printer.comparison(Comparison(element, comparator, right))], "||")
    }
    return .joined([exists, others], "&&")
  }

  // MARK: Membership

  /// `element IN collection`
  mutating func membership(
    _ comparison: Comparison, of element: Queries.Expression, in collection: Queries.Expression
  ) throws(SwiftPrintingError) -> SwiftTerm {
    if let elements = collection.elementsOfList {
      try refuseOptions(comparison)
      return try membership(of: element, in: elements, listName: collection.argumentName)
    }
    if isCollection(collection) {
      try refuseOptions(comparison)
      let objects = try objects(collection)
      return try quantify(objects, all: false) { printer, member throws(SwiftPrintingError) in
        try printer.comparison(Comparison(member, .equal, element))
      }
    }
    if case .variable(let name) = try operand(collection), case .term(let term) = try operand(element) {
      return try containing(try parameter(name, .list(term.type)), term)
    }
    return try text(Comparison(collection, .contains, element, options: comparison.options))
  }

  private mutating func membership(
    of element: Queries.Expression, in elements: [Queries.Expression], listName: String?
  ) throws(SwiftPrintingError) -> SwiftTerm {
    var rest: [SwiftTerm] = []
    var values: [Value] = []
    guard case .term(let term) = try operand(element), let type = term.type.attributeType else {
      if let list = try objects(elements, element, listName) { return list }
      return .joined(try equalities(element, elements), "||")
    }
    for candidate in elements {
      guard case .constant(let value, _) = try operand(candidate) else {
        rest.append(try comparison(Comparison(element, .equal, candidate)))
        continue
      }
      if value.isNull {
        rest.append(try comparison(Comparison(element, .equal, candidate)))
        continue
      }
      switch ConstantFit(.equal, value, to: type) {
      case .compare(_, let fitted): values.append(fitted)
      case .always(true): rest.append(isTrue(.constant(true)))
      case .always(false): break
      case .mismatch: throw error(.differentTypes(left: term.type.name(), right: value.kindName))
      }
    }
    guard values.count > 1, type != .boolean else {
      for value in values { rest.append(try comparison(Comparison(element, .equal, .argument(value, name: listName)))) }
      return .joined(rest, "||")
    }
    return .joined([try containing(term, values, listName)] + rest, "||")
  }

  /// `itemIDs.contains($0.persistentModelID)`, where all elements are objects that are known here.
  private mutating func objects(
    _ elements: [Queries.Expression], _ element: Queries.Expression, _ name: String?
  ) throws(SwiftPrintingError) -> SwiftTerm? {
    guard elements.count > 1, case .term(let term) = try operand(element), case .object(let entity) = term.type else {
      return nil
    }
    let ids = elements.compactMap { if case .object(let id)? = $0.constantValue { id } else { nil } }
    guard ids.count == elements.count else { return nil }
    let wanted = name ?? Naming.plural(objectName(term))
    guard SwiftNames.isIdentifier(wanted) else { throw error(.notAnIdentifier(wanted)) }
    let list = captures.parameter(of: ids, wanted, .list(.object(entity)))
    return try containing(SwiftTerm(code: .text(SwiftNames.identifier(list)), type: .list(term.type)), term)
  }

  /// `list.contains(term)`; objects are looked for by their identifiers.
  private mutating func containing(_ list: SwiftTerm, _ term: SwiftTerm) throws(SwiftPrintingError) -> SwiftTerm {
    var wanted = term
    wanted.forced = nil
    if case .object = term.type {
      wanted.code = term.member("persistentModelID")
      wanted.chain = term.chain(to: "persistentModelID")
      wanted.endsOptional = false
      wanted.lifted = nil
    }
    return try unwrapping([wanted]) {
      .condition(.sequence([list.code, .text(".contains("), $0[0].code, .text(")")]))
    }
  }

  private mutating func equalities(
    _ element: Queries.Expression, _ elements: [Queries.Expression]
  ) throws(SwiftPrintingError) -> [SwiftTerm] {
    var terms: [SwiftTerm] = []
    for candidate in elements { terms.append(try comparison(Comparison(element, .equal, candidate))) }
    return terms
  }

  /// `[a, b].contains(term)`; a list that is long or has a name stands before the predicate.
  private mutating func containing(
    _ term: SwiftTerm, _ values: [Value], _ name: String?
  ) throws(SwiftPrintingError) -> SwiftTerm {
    // The macro takes no list with a negative number in it.
    let literals = values.compactMap { Self.literal($0) }.filter { !$0.hasPrefix("-") }
    if name == nil, !isSpreadOut, !term.isChain, literals.count == values.count, values.count <= 8 {
      weight += 3
      let list = SwiftCode.list(literals.map { .text($0) })
      return .condition(.sequence([list, .text(".contains("), term.code, .text(")")]))
    }
    var initializers: [String] = []
    for value in values {
      guard let initializer = Self.literal(value) ?? SwiftLiteral.initializer(value) else {
        throw error(.unwritableConstant(value.debugText))
      }
      initializers.append(initializer)
    }
    weight += 1
    let type = SwiftType.list(term.type).name()
    let list = captures.constant(
      name ?? Naming.plural(term.name), annotation: type, "[" + initializers.joined(separator: ", ") + "]", comment: nil
    )
    return try unwrapping([term]) {
      .condition(.sequence([.text(SwiftNames.identifier(list)), .text(".contains("), $0[0].code, .text(")")]))
    }
  }
}

extension Queries.Expression {
  /// The name of a constant that was bound.
  var argumentName: String? { if case .argument(_, let name) = self { name } else { nil } }
}
