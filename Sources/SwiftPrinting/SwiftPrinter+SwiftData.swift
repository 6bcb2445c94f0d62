internal import Modeling
internal import Queries
internal import SwiftParsing

extension SwiftPrinter {
  // MARK: @Query

  func querySource(of request: FetchRequest) throws(SwiftPrintingError) -> String {
    try requireObjects(request, .query)
    let name = propertyName(request.entity)
    let declaration = "private var \(name): [\(request.entity.name)]"
    var captures = SwiftCaptures()
    if request.needsDescriptor {
      guard request.sectionIdentifier == nil else {
        throw SwiftPrintingError(
          .notInForm(.query, "sections of a request with a limit or an offset", instead: .form(.sectionedFetchRequest)))
      }
      return try descriptorQuery(of: request, name, declaration)
    }
    let arguments = try queryArguments(request, &captures)
    guard !captures.isEmpty else {
      if arguments.isEmpty { return "@Query " + declaration }
      return wrapped(.call("@Query", arguments), declaration)
    }
    return "@Query " + declaration + "\n\n"
      + initializer(captures, objects: "PersistentIdentifier", assigning: name, .call("Query", arguments))
  }

  private func queryArguments(
    _ request: FetchRequest, _ captures: inout SwiftCaptures
  ) throws(SwiftPrintingError) -> [SwiftCode] {
    var arguments: [SwiftCode] = []
    if let predicate = request.predicate {
      arguments.append(.sequence([.text("filter: "), try macro(predicate, request.entity, &captures)]))
    }
    arguments += try queryOrder(request)
    if let section = request.sectionIdentifier {
      let root = arguments.isEmpty ? request.entity.name : ""
      let key = try keyPath(section, in: request.entity, .query, root: root)
      arguments.append(.text("sectionBy: \(key.text)"))
    }
    return arguments + animationArgument(request)
  }

  /// `sort: \.time, order: .reverse`; sort descriptors where there are several, or one of strings.
  private func queryOrder(_ request: FetchRequest) throws(SwiftPrintingError) -> [SwiftCode] {
    let descriptors = request.sectionedSortDescriptors
    guard let first = descriptors.first else { return [] }
    let root = request.entity.name
    let key = try keyPath(first.expression, in: request.entity, .query, root: root)
    if descriptors.count == 1, key.type.type != .string {
      let order: [SwiftCode] = first.isAscending ? [] : [.text("order: .reverse")]
      return [.text("sort: \(key.text)")] + order
    }
    var codes: [SwiftCode] = []
    for descriptor in descriptors {
      codes.append(try sortDescriptor(descriptor, in: request.entity, .query, root: codes.isEmpty ? root : ""))
    }
    return [.sequence([.text("sort: "), .list(codes)])]
  }

  private func macro(
    _ predicate: Queries.Predicate, _ entity: Entity, _ captures: inout SwiftCaptures
  ) throws(SwiftPrintingError) -> SwiftCode {
    var printer = MacroPrinter(entity: entity)
    let closure = try printer.closure(predicate)
    captures = printer.captures
    return .sequence([.text("#Predicate<\(entity.name)> "), closure])
  }

  /// A query with a limit is made of a descriptor.
  private func descriptorQuery(
    of request: FetchRequest, _ name: String, _ declaration: String
  ) throws(SwiftPrintingError) -> String {
    var captures = SwiftCaptures()
    let animation = animationArgument(request).map { ", " + SwiftLayout().flat($0) }.joined()
    let statements = try descriptorStatements(request, .query, &captures, indent: 4)
    let type = "FetchDescriptor<\(request.entity.name)>"
    if captures.isEmpty {
      let constant = (self.name ?? SwiftNames.objects(request.entity)) + "Descriptor"
      return "private static var \(constant): \(type) {\n" + Self.indented(statements) + "    return descriptor\n}\n\n"
        + "@Query(Self.\(constant)\(animation)) " + declaration
    }
    let parameters = captures.parameters.map {
      "\(SwiftNames.identifier($0.name)): \($0.type.name(ofObjects: "PersistentIdentifier"))"
    }
    let constants = captures.constants.map { $0.declaration() }
    return "@Query " + declaration + "\n\ninit(\(parameters.joined(separator: ", "))) {\n"
      + Self.indented(constants + statements) + "    \(SwiftNames.storage(name)) = Query(descriptor\(animation))\n}"
  }

  private static func indented(_ statements: [String]) -> String { statements.map { "    \($0)\n" }.joined() }

  // MARK: ResultsObserver

  func observerSource(of request: FetchRequest) throws(SwiftPrintingError) -> String {
    try requireObjects(request, .resultsObserver)
    guard request.animation == nil else {
      throw SwiftPrintingError(.notInForm(.resultsObserver, "an animation", instead: .form(.query)))
    }
    guard !request.needsDescriptor else {
      throw SwiftPrintingError(
        .notInForm(
          .resultsObserver, "a limit, an offset or prefetching", instead: .form(.fetchDescriptor)))
    }
    var captures = SwiftCaptures()
    var arguments: [SwiftCode] = []
    if let predicate = request.predicate {
      arguments.append(.sequence([.text("filterBy: "), try macro(predicate, request.entity, &captures)]))
    }
    var ordered = request
    ordered.sortDescriptors = request.sectionedSortDescriptors
    if !ordered.sortDescriptors.isEmpty {
      arguments.append(.sequence([.text("sortBy: "), try sortDescriptors(ordered, .resultsObserver)]))
    }
    var title = "Never"
    if let section = request.sectionIdentifier {
      let key = try keyPath(section, in: request.entity, .resultsObserver)
      arguments.append(.text("sectionBy: \(key.text)"))
      title = key.type.typeName
    }
    arguments.append(.text("modelContext: modelContext"))
    let code = SwiftCode.call("ResultsObserver<\(request.entity.name), \(title)>", arguments)
    let layout = SwiftLayout(taken: captures.names)
    let constants = captures.constants.map { $0.declaration() }
    guard !captures.parameters.isEmpty else {
      let head = "let \(SwiftNames.identifier(name ?? "observer")) = "
      return (constants + [head + layout.lines(code, column: head.count, indent: 0)]).joined(separator: "\n")
    }
    let parameters = captures.parameters.map {
      "\(SwiftNames.identifier($0.name)): \($0.type.name(ofObjects: "PersistentIdentifier"))"
    }
    let function = SwiftNames.identifier(name ?? "observe" + SwiftNames.capitalized(SwiftNames.objects(request.entity)))
    let list = (parameters + ["in modelContext: ModelContext"]).joined(separator: ", ")
    return "func \(function)(\(list)) -> ResultsObserver<\(request.entity.name), \(title)> {\n"
      + Self.indented(constants + ["return " + layout.lines(code, column: 11, indent: 4)]) + "}"
  }

  // MARK: FetchDescriptor

  func descriptorSource(of request: FetchRequest) throws(SwiftPrintingError) -> String {
    try requireObjects(request, .fetchDescriptor)
    guard request.sectionIdentifier == nil else {
      throw SwiftPrintingError(.notInForm(.fetchDescriptor, "sections", instead: .form(.query)))
    }
    var captures = SwiftCaptures()
    let flat = try descriptorStatements(request, .fetchDescriptor, &captures, indent: 0)
    guard !captures.parameters.isEmpty else {
      return (captures.constants.map { $0.declaration() } + flat).joined(separator: "\n")
    }
    var again = SwiftCaptures()
    let statements = try descriptorStatements(request, .fetchDescriptor, &again, indent: 4)
    let parameters = captures.parameters.map {
      "\(SwiftNames.identifier($0.name)): \($0.type.name(ofObjects: "PersistentIdentifier"))"
    }
    let function = SwiftNames.identifier(
      name ?? "matching" + SwiftNames.capitalized(SwiftNames.objects(request.entity)))
    return "func \(function)(\(parameters.joined(separator: ", "))) -> FetchDescriptor<\(request.entity.name)> {\n"
      + Self.indented(captures.constants.map { $0.declaration() } + statements) + "    return descriptor\n}"
  }

  private func descriptorStatements(
    _ request: FetchRequest, _ form: SwiftForm, _ captures: inout SwiftCaptures, indent: Int
  ) throws(SwiftPrintingError) -> [String] {
    var arguments: [SwiftCode] = []
    if let predicate = request.predicate {
      arguments.append(.sequence([.text("predicate: "), try macro(predicate, request.entity, &captures)]))
    }
    if !request.sortDescriptors.isEmpty {
      arguments.append(.sequence([.text("sortBy: "), try sortDescriptors(request, form)]))
    }
    var settings: [String] = []
    if let limit = request.fetchLimit, limit > 0 { settings.append("descriptor.fetchLimit = \(limit)") }
    if request.fetchOffset > 0 { settings.append("descriptor.fetchOffset = \(request.fetchOffset)") }
    if !request.includesPendingChanges { settings.append("descriptor.includePendingChanges = false") }
    if !request.relationshipKeyPathsForPrefetching.isEmpty {
      var paths: [String] = []
      for path in request.relationshipKeyPathsForPrefetching {
        paths.append(try relationship(path, of: request.entity, form))
      }
      settings.append("descriptor.relationshipKeyPathsForPrefetching = [\(paths.joined(separator: ", "))]")
    }
    let declared = name.map { SwiftNames.identifier($0) }
    let variable = form == .fetchDescriptor && captures.parameters.isEmpty ? declared ?? "descriptor" : "descriptor"
    let isChanged = !settings.isEmpty
    let head = "\(isChanged ? "var" : "let") \(variable) = "
    let layout = SwiftLayout(taken: captures.names)
    let call = SwiftCode.call("FetchDescriptor<\(request.entity.name)>", arguments)
    let statement = head + layout.lines(call, column: indent + head.count, indent: indent)
    return [statement] + settings.map { variable + $0.dropFirst("descriptor".count) }
  }

  /// A relationship to fetch along; SwiftData takes those of the entity itself.
  private func relationship(
    _ path: PropertyPath, of entity: Entity, _ form: SwiftForm
  ) throws(SwiftPrintingError) -> String {
    guard let name = path.onlyName, SwiftNames.isIdentifier(name) else {
      throw SwiftPrintingError(
        .notInForm(form, "prefetching along \(path.text)", instead: .form(.fetchRequest)), in: path.text)
    }
    return "\\.\(SwiftNames.identifier(name))"
  }
}

extension FetchRequest {
  /// Whether it says more than the arguments of `@Query` can.
  fileprivate var needsDescriptor: Bool {
    (fetchLimit ?? 0) > 0 || fetchOffset > 0 || !includesPendingChanges || !relationshipKeyPathsForPrefetching.isEmpty
  }
}
