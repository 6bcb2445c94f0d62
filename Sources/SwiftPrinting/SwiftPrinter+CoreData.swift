internal import Modeling
internal import Queries
internal import SwiftParsing

extension SwiftPrinter {
  // MARK: @FetchRequest

  func fetchRequestSource(of request: FetchRequest) throws(SwiftPrintingError) -> String {
    try requireObjects(request, .fetchRequest)
    let name = propertyName(request.entity)
    let declaration = "private var \(name): FetchedResults<\(request.entity.name)>"
    if request.needsFetchRequestObject { return try requestObjectSource(of: request, name, declaration) }
    var printer = FormatSourcePrinter(entity: request.entity, isCapturing: false)
    let arguments = try wrapperArguments(request, .fetchRequest, &printer)
    guard !printer.captures.isEmpty else { return wrapped(.call("@FetchRequest", arguments), declaration) }
    return "@FetchRequest " + declaration + "\n\n"
      + initializer(
        printer.captures, objects: "NSManagedObjectID", assigning: name, .call("FetchRequest", arguments))
  }

  private func wrapperArguments(
    _ request: FetchRequest, _ form: SwiftForm, _ printer: inout FormatSourcePrinter
  ) throws(SwiftPrintingError) -> [SwiftCode] {
    var arguments = [SwiftCode.sequence([.text("sortDescriptors: "), try sortDescriptors(request, form)])]
    if let predicate = request.predicate {
      arguments.append(.sequence([.text("predicate: "), try printer.source(of: predicate)]))
    }
    return arguments + animationArgument(request)
  }

  // MARK: @SectionedFetchRequest

  func sectionedSource(of request: FetchRequest) throws(SwiftPrintingError) -> String {
    let form = SwiftForm.sectionedFetchRequest
    try requireObjects(request, form)
    guard let section = request.sectionIdentifier else {
      throw SwiftPrintingError(.notInForm(form, "a request without a sectionIdentifier", instead: .form(.fetchRequest)))
    }
    let key = try keyPath(section, in: request.entity, form)
    var ordered = request
    ordered.sortDescriptors = request.sectionedSortDescriptors
    let name = propertyName(request.entity)
    let types = "<\(key.type.typeName), \(request.entity.name)>"
    let declaration = "private var \(name): SectionedFetchResults\(types)"
    let sectionArgument = SwiftCode.text("sectionIdentifier: \(key.text)")
    if ordered.needsFetchRequestObject {
      return try requestObjectSource(
        of: ordered, name, declaration, wrapper: "SectionedFetchRequest\(types)", sectionArgument)
    }
    var printer = FormatSourcePrinter(entity: request.entity, isCapturing: false)
    let arguments = [sectionArgument] + (try wrapperArguments(ordered, form, &printer))
    guard !printer.captures.isEmpty else {
      return wrapped(.call("@SectionedFetchRequest\(types)", arguments), declaration)
    }
    return "@SectionedFetchRequest " + declaration + "\n\n"
      + initializer(
        printer.captures, objects: "NSManagedObjectID", assigning: name, .call("SectionedFetchRequest", arguments))
  }

  // MARK: NSFetchRequest

  /// A request with more than a predicate and an order is made first and given to the wrapper.
  private func requestObjectSource(
    of request: FetchRequest, _ name: String, _ declaration: String, wrapper: String = "FetchRequest",
    _ section: SwiftCode? = nil
  ) throws(SwiftPrintingError) -> String {
    var printer = FormatSourcePrinter(entity: request.entity, isCapturing: false)
    let statements = try requestStatements(request, &printer)
    let type = "NSFetchRequest<\(request.entity.name)>"
    func body(_ indent: String) -> String { statements.map { "\(indent)\($0)\n" }.joined() }
    let bare = wrapper.prefix { $0 != "<" }
    let animation = animationArgument(request).map { SwiftLayout().flat($0) }
    guard printer.captures.isEmpty else {
      let parameters = printer.captures.parameters.map {
        "\(SwiftNames.identifier($0.name)): \($0.type.name(ofObjects: "NSManagedObjectID"))"
      }
      let arguments = ["fetchRequest: request"] + (section.map { [SwiftLayout().flat($0)] } ?? []) + animation
      return "@\(bare) \(declaration)\n\ninit(\(parameters.joined(separator: ", "))) {\n" + body("    ")
        + "    \(SwiftNames.storage(name)) = \(bare)(\(arguments.joined(separator: ", ")))\n}"
    }
    let constant = (self.name ?? SwiftNames.objects(request.entity)) + "Request"
    let arguments = ["fetchRequest: Self.\(constant)"] + (section.map { [SwiftLayout().flat($0)] } ?? []) + animation
    return "private static let \(constant): \(type) = {\n" + body("    ") + "    return request\n}()\n\n"
      + "@\(wrapper)(\(arguments.joined(separator: ", ")))\n" + declaration
  }

  /// The request alone: the statements that make it, in a function with its variables as parameters.
  func plainRequestSource(of request: FetchRequest) throws(SwiftPrintingError) -> String {
    guard request.sectionIdentifier == nil else {
      throw SwiftPrintingError(.notInForm(.nsFetchRequest, "sections", instead: .form(.sectionedFetchRequest)))
    }
    var printer = FormatSourcePrinter(entity: request.entity, isCapturing: false)
    let statements = try requestStatements(request, &printer)
    guard !printer.captures.isEmpty else { return statements.joined(separator: "\n") }
    let parameters = printer.captures.parameters.map {
      "\(SwiftNames.identifier($0.name)): \($0.type.name(ofObjects: "NSManagedObjectID"))"
    }
    let function = SwiftNames.identifier(name ?? SwiftNames.objects(request.entity) + "Request")
    let type = "NSFetchRequest<\(Self.resultName(request))>"
    return "func \(function)(\(parameters.joined(separator: ", "))) -> \(type) {\n"
      + statements.map { "    \($0)\n" }.joined() + "    return request\n}"
  }

  /// The type of a request's results.
  private static func resultName(_ request: FetchRequest) -> String {
    switch request.resultType {
    case .objects: request.entity.name
    case .objectIDs: "NSManagedObjectID"
    case .dictionaries: "NSDictionary"
    case .count: "NSNumber"
    }
  }

  /// What dictionaries hold and how they are grouped.
  private func columnStatements(
    _ request: FetchRequest, _ printer: inout FormatSourcePrinter
  ) throws(SwiftPrintingError) -> [String] {
    func keys(_ expressions: [Queries.Expression]) throws(SwiftPrintingError) -> String {
      var keys: [String] = []
      for expression in expressions {
        guard case .path(let path) = expression, !path.hasCasts else {
          throw SwiftPrintingError(
            .notInForm(.nsFetchRequest, "a column that is not an attribute", instead: .storedAttribute),
            in: expression.description)
        }
        keys.append(SwiftLiteral.string(path.text))
      }
      return "[" + keys.joined(separator: ", ") + "]"
    }
    var lines: [String] = []
    switch request.resultType {
    case .objects: break
    case .objectIDs: lines.append("request.resultType = .managedObjectIDResultType")
    case .dictionaries: lines.append("request.resultType = .dictionaryResultType")
    case .count: lines.append("request.resultType = .countResultType")
    }
    if !request.propertiesToFetch.isEmpty {
      lines.append("request.propertiesToFetch = \(try keys(request.propertiesToFetch.map(\.expression)))")
    }
    if !request.propertiesToGroupBy.isEmpty {
      lines.append("request.propertiesToGroupBy = \(try keys(request.propertiesToGroupBy))")
    }
    if let having = request.havingPredicate {
      printer.arguments = []
      lines.append("request.havingPredicate = \(SwiftLayout().flat(try printer.source(of: having)))")
    }
    if request.returnsDistinctResults { lines.append("request.returnsDistinctResults = true") }
    return lines
  }

  private func requestStatements(
    _ request: FetchRequest, _ printer: inout FormatSourcePrinter
  ) throws(SwiftPrintingError) -> [String] {
    let entity = request.entity
    let head = "let request = NSFetchRequest<\(Self.resultName(request))>"
    var lines = ["\(head)(entityName: \(SwiftLiteral.string(entity.name)))"]
    if let predicate = request.predicate {
      let head = "request.predicate = "
      let code = try printer.source(of: predicate)
      lines.append(head + SwiftLayout().lines(code, column: 4 + head.count, indent: 4))
    }
    var descriptors: [SwiftCode] = []
    for descriptor in request.sortDescriptors { descriptors.append(try objectDescriptor(descriptor)) }
    let sorting = "request.sortDescriptors = "
    lines.append(sorting + SwiftLayout().lines(.list(descriptors), column: 4 + sorting.count, indent: 4))
    lines += try columnStatements(request, &printer)
    if let limit = request.fetchLimit, limit > 0 { lines.append("request.fetchLimit = \(limit)") }
    if request.fetchOffset > 0 { lines.append("request.fetchOffset = \(request.fetchOffset)") }
    if request.fetchBatchSize > 0 { lines.append("request.fetchBatchSize = \(request.fetchBatchSize)") }
    if !request.relationshipKeyPathsForPrefetching.isEmpty {
      let paths = request.relationshipKeyPathsForPrefetching.map { SwiftLiteral.string($0.text) }
      lines.append("request.relationshipKeyPathsForPrefetching = [\(paths.joined(separator: ", "))]")
    }
    if !request.includesSubentities { lines.append("request.includesSubentities = false") }
    if !request.includesPendingChanges { lines.append("request.includesPendingChanges = false") }
    if !request.includesPropertyValues { lines.append("request.includesPropertyValues = false") }
    if !request.returnsObjectsAsFaults { lines.append("request.returnsObjectsAsFaults = false") }
    if request.shouldRefreshRefetchedObjects { lines.append("request.shouldRefreshRefetchedObjects = true") }
    return lines
  }

  private func objectDescriptor(_ descriptor: Queries.SortDescriptor) throws(SwiftPrintingError) -> SwiftCode {
    guard case .path(let path) = descriptor.expression, !path.hasCasts else {
      throw SwiftPrintingError(
        .notInForm(.fetchRequest, "a key that is not an attribute", instead: .storedAttribute),
        in: descriptor.expression.description)
    }
    var arguments = ["key: \(SwiftLiteral.string(path.text))", "ascending: \(descriptor.isAscending)"]
    switch descriptor.comparator {
    case .binary: break
    case .caseInsensitive: arguments.append("selector: #selector(NSString.caseInsensitiveCompare(_:))")
    case .localized: arguments.append("selector: #selector(NSString.localizedCompare(_:))")
    case .standard: arguments.append("selector: #selector(NSString.localizedStandardCompare(_:))")
    }
    return .call("NSSortDescriptor", arguments.map { .text($0) })
  }
}

extension FetchRequest {
  /// Whether it says more than the arguments of a property wrapper can.
  fileprivate var needsFetchRequestObject: Bool {
    (fetchLimit ?? 0) > 0 || fetchOffset > 0 || fetchBatchSize > 0 || !relationshipKeyPathsForPrefetching.isEmpty
      || !includesSubentities || !includesPendingChanges || !includesPropertyValues || !returnsObjectsAsFaults
      || shouldRefreshRefetchedObjects
      || sortDescriptors.contains { $0.comparator == .caseInsensitive }
  }
}
