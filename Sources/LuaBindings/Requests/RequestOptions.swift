internal import LuaRuntime
internal import Modeling
internal import Queries

/// The properties of a request: fields of `FetchRequest { ... }`, and members such as `request.fetchLimit`.
enum RequestOptions {
  /// A property with the functions that read it from a table and answer it.
  struct Option: Sendable {
    let name: String
    let summary: String
    let read: @Sendable (Options, inout Queries.FetchRequest) throws -> Void
    let answer: @Sendable (Queries.FetchRequest) -> ReturnValue
  }

  static var names: [String] { all.map(\.name) + aliases.map(\.key) }

  /// Synonyms of properties in SwiftUI's configuration.
  static let aliases: KeyValuePairs = ["nsPredicate": "predicate", "nsSortDescriptors": "sortDescriptors"]

  static var entries: [CatalogEntry] {
    let others = [
      ("entity", "The entity whose objects are fetched, or its name."),
      (
        "fetchRequest",
        "A request, or Swift source of one, to begin with, which the other options change; it gives the entity."
      ),
      ("named", "The name of the request in the Swift source of `fetchRequest`, where there are several."),
      ("animation", "The animation of changes to live results, by name."),
      ("transaction", "A transaction, whose animation is that of changes: `{ animation = , disablesAnimations = }`."),
    ]
    let aliases = aliases.map { ($0, "The same as \($1).") }
    return CatalogEntry.options(
      of: "FetchRequest", example: #"FetchRequest { entity = Quake, predicate = "magnitude > 3", fetchLimit = 10 }"#,
      all.map { ($0.name, $0.summary) } + aliases + others)
  }

  static let functions: [GlobalFunction] = [
    GlobalFunction(
      "FetchRequest", "FetchRequest { entity = , predicate = , sortDescriptors = , ... } -> request",
      "A request with any of NSFetchRequest's properties, or as Swift source declares it.", sandbox: .allowed,
      example: #"FetchRequest { entity = Quake, predicate = "magnitude > 3", fetchLimit = 10 }"#
    ) { call in
      if call.type(1) == .string { return .object(try SwiftReading.request(call)) }
      return try make(call)
    },
    GlobalFunction(
      "SectionedFetchRequest", "SectionedFetchRequest { entity = , sectionIdentifier = , ... } -> request",
      "A request with sections, or as Swift source declares it; the section key is the first sort key.",
      sandbox: .allowed, example: #"SectionedFetchRequest({ entity = Quake, sectionIdentifier = "place" }):live()"#
    ) { call in
      if call.type(1) == .string {
        let request = try SwiftReading.request(call)
        if request.request.sectionIdentifier == nil {
          throw call.fail("the Swift source has no sectionIdentifier; read it with FetchRequest [[...]]")
        }
        return .object(request)
      }
      return try make(call, isSectioned: true)
    },
  ]

  private static func make(_ call: Call, isSectioned: Bool = false) throws -> ReturnValue {
    guard call.type(1) == .table else { throw call.expected("a table of options", 1) }
    let options = try call.options(1, ["entity", "fetchRequest", "named", "animation", "transaction"] + names)
    var (request, context) = try start(call, options)
    for option in all where options.has(option.name) { try option.read(options, &request) }
    try readAliases(options, &request)
    if isSectioned, !request.isSectioned { throw call.fail(.missing("sectionIdentifier")) }
    if let animation = try options.animation() { request.animation = animation.name }
    return .object(try BoundRequest(checking: request, context))
  }

  /// The request that `fetchRequest` gives, or one for all objects of `entity`.
  private static func start(_ call: Call, _ options: Options) throws -> (Queries.FetchRequest, BoundContext) {
    let entity = try options.entity("entity")
    let name = try options.string("named")
    let given = try options.with("fetchRequest") { index in
      if let text = call.stack.string(at: index) { return try SwiftReading.request(call, text, named: name) }
      guard let request = call.engine.classes.object(BoundRequest.self, at: index, on: call.stack) else {
        throw options.expected("a request or Swift source", "fetchRequest", index)
      }
      if name != nil { throw call.fail("'named' is for Swift source; a request has no name") }
      return request
    }
    guard let given else {
      if name != nil { throw call.fail("'named' is for Swift source; give it with fetchRequest") }
      guard let entity else { throw call.fail(.missing("entity")) }
      return (Queries.FetchRequest(entity.entity), entity.context)
    }
    if let entity, entity.entity !== given.entity {
      throw call.fail("fetchRequest is of \(given.entity.name), entity is \(entity.entity.name); give one of them")
    }
    return (given.request, given.context)
  }

  /// Changes a request by the options in a table.
  static func apply(_ call: Call, _ argument: Int32, to request: inout Queries.FetchRequest, allowing names: [String])
    throws
  {
    let options = try call.options(argument, names)
    for option in all where options.has(option.name) { try option.read(options, &request) }
    try readAliases(options, &request)
  }

  /// Reads the properties with synonyms.
  private static func readAliases(_ options: Options, _ request: inout Queries.FetchRequest) throws {
    for (name, property) in aliases where options.has(name) {
      if options.has(property) {
        throw options.call.fail("'\(name)' and '\(property)' are the same; give one of them")
      }
      try read(name, as: property, options, &request)
    }
  }

  /// Reads a property by a synonym.
  private static func read(
    _ name: String, as property: String, _ options: Options, _ request: inout Queries.FetchRequest
  ) throws {
    guard let option = all.first(where: { $0.name == property }) else { return }
    let call = options.call
    call.stack.reserve(6)
    try options.with(name) { index in
      call.stack.pushTable(hash: 1)
      defer { call.stack.pop() }
      call.stack.pushCopy(of: index)
      call.stack.rawSet(field: property, at: -2)
      try option.read(Options(call: call, index: call.stack.count), &request)
    }
  }

  /// Changes a grouped request by `having`, `sort` and `limit`, or by their long names.
  static func applyGrouping(_ call: Call, _ argument: Int32, to request: inout Queries.FetchRequest) throws {
    let short = [
      "having": "havingPredicate", "sort": "sortDescriptors", "limit": "fetchLimit", "offset": "fetchOffset",
    ]
    let options = try call.options(argument, short.keys.sorted() + short.values.sorted())
    for option in all {
      if options.has(option.name) { try option.read(options, &request) }
      for (name, long) in short where long == option.name { try read(name, as: long, options, &request) }
    }
  }

  /// Parses a key path.
  static func path(_ text: String) throws -> PropertyPath {
    guard case .path(let path) = try Queries.Expression.parse(text) else {
      throw PredicateError(
        .unexpected(found: text, expected: "a key path"), at: Origin(text: text, range: 0..<text.utf8.count))
    }
    return path
  }

  /// To add a property, add it here, in the order of the documentation.
  static let all: [Option] = [
    Option(name: "predicate", summary: "Which objects: a format string, a table { format, args... } or a Predicate.") {
      options, request in
      request.predicate = try options.predicate("predicate", in: request.entity)
    } answer: {
      .object($0.predicate.map(BoundPredicate.init))
    },
    Option(name: "sortDescriptors", summary: "The order: a list of SortDescriptors and key paths, `-` for reverse.") {
      options, request in
      request.sortDescriptors =
        try options.with("sortDescriptors") { index in
          guard let list = try options.call.engine.predicates.sortDescriptorList(at: index, on: options.call.stack)
          else {
            throw options.expected("a list of key paths and SortDescriptors", "sortDescriptors", index)
          }
          return list
        } ?? []
    } answer: {
      .list($0.sortDescriptors.map { .object(BoundSortDescriptor($0)) })
    },
    Option(
      name: "sectionIdentifier",
      summary:
        "The value shared by a section's objects: a key path, an expression, a computed property or a function."
    ) {
      options, request in
      (request.sectionIdentifier, request.sectionFunction) = try options.sections(
        "sectionIdentifier", of: request.entity)
    } answer: { request in
      if let function = request.sectionFunction?.source as? LuaReference { return .reference(function) }
      return .text(request.sectionName)
    },
    Option(name: "sectionValues", summary: "What live results tell of each section: aggregates by name.") {
      options, request in
      request.sectionValues = try options.columns("sectionValues")
    } answer: {
      .list($0.sectionValues.map { .text($0.expression.description) })
    },
    integer("fetchLimit", "The maximum number of results; 0 for all.", \.limitOrZero),
    integer("fetchOffset", "The number of results skipped at the start.", \.fetchOffset),
    integer("fetchBatchSize", "How many rows are read at once; 0 lets the engine decide.", \.fetchBatchSize),
    Option(name: "resultType", summary: "\"objects\", \"objectIDs\", \"dictionaries\" or \"count\".") {
      options, request in
      if let type = try options.choice("resultType", Queries.FetchRequest.ResultType.self) { request.resultType = type }
    } answer: {
      .text($0.resultType.rawValue)
    },
    Option(name: "propertiesToFetch", summary: "The contents of dictionaries: key paths, and aggregates by name.") {
      options, request in
      request.propertiesToFetch = try options.columns("propertiesToFetch")
    } answer: {
      .list($0.propertiesToFetch.map { .text($0.expression.description) })
    },
    Option(name: "propertiesToGroupBy", summary: "The key paths and expressions that make a group.") {
      options, request in
      request.propertiesToGroupBy = try options.expressions("propertiesToGroupBy")
    } answer: {
      .list($0.propertiesToGroupBy.map { .text($0.description) })
    },
    Option(name: "havingPredicate", summary: "A condition on the groups.") { options, request in
      request.havingPredicate = try options.predicate("havingPredicate", in: request.entity)
    } answer: {
      .object($0.havingPredicate.map(BoundPredicate.init))
    },
    bool("returnsDistinctResults", "Whether equal dictionaries are left out.", \.returnsDistinctResults),
    bool("includesSubentities", "Whether objects of subentities are fetched too.", \.includesSubentities),
    bool("includesPendingChanges", "Whether unsaved changes are included.", \.includesPendingChanges),
    bool("includesPropertyValues", "Whether values are read with the rows.", \.includesPropertyValues),
    bool("returnsObjectsAsFaults", "Whether values are read when they are first used.", \.returnsObjectsAsFaults),
    bool(
      "shouldRefreshRefetchedObjects",
      "Whether objects in memory take the store's values when they are fetched again.",
      \.shouldRefreshRefetchedObjects),
    Option(name: "relationshipKeyPathsForPrefetching", summary: "The relationships to read along with the objects.") {
      options, request in
      request.relationshipKeyPathsForPrefetching = try options.paths("relationshipKeyPathsForPrefetching")
    } answer: {
      .list($0.relationshipKeyPathsForPrefetching.map { .text($0.text) })
    },
  ]

  private static func integer(
    _ name: String, _ summary: String, _ path: any WritableKeyPath<Queries.FetchRequest, Int> & Sendable
  ) -> Option {
    Option(name: name, summary: summary) { options, request in
      if let number = try options.integer(name) { request[keyPath: path] = number }
    } answer: {
      .integer($0[keyPath: path])
    }
  }

  private static func bool(
    _ name: String, _ summary: String, _ path: any WritableKeyPath<Queries.FetchRequest, Bool> & Sendable
  ) -> Option {
    Option(name: name, summary: summary) { options, request in
      if let flag = try options.bool(name) { request[keyPath: path] = flag }
    } answer: {
      .boolean($0[keyPath: path])
    }
  }
}

extension Queries.FetchRequest {
  /// The limit, or 0 for none.
  fileprivate var limitOrZero: Int {
    get { fetchLimit ?? 0 }
    set { fetchLimit = newValue }
  }
}

extension BoundRequest {
  /// The request's properties as members.
  static let fields: [Member<BoundRequest>] =
    [
      .property("entity", "request.entity -> entity", "The entity whose objects are fetched.", sandbox: .allowed) {
        call, request in
        .object(request.context.entity(request.entity))
      }
    ]
    + RequestOptions.all.map { option in
      .property(option.name, "request.\(option.name)", option.summary, sandbox: .allowed) { _, request in
        option.answer(request.request)
      }
    }
    + RequestOptions.aliases.compactMap { name, property in
      RequestOptions.all.first { $0.name == property }.map { option in
        .property(name, "request.\(name)", "The same as \(property).", sandbox: .allowed) { _, request in
          option.answer(request.request)
        }
      }
    }
}
