internal import LuaRuntime
internal import Modeling
internal import Queries
internal import Stores
internal import Transfer

extension BoundStore {
  static let copyMembers: [Member<BoundStore>] = [
    .method(
      "copy",
      "store:copy(other [, { from = , follow = , sample = , mask = , secret = }]) -> { counts = , leftOut = , taken = , next = }",
      "Copies objects into another store with entities of the same names: all, or those of requests, with what they need and lead to.",
      sandbox: .allowed, example: #"store:copy(open(":memory:", { model = store.model }), { from = { Quake } })"#
    ) { call, store in
      try store.copy(call)
    }
  ]

  static let copyEntries = CatalogEntry.options(
    of: "copy", example: #"store:copy(open(":memory:", { model = store.model }), { from = { Quake } })"#,
    [
      ("from", "The requests or entities to begin with; all objects without it."),
      ("follow", "Relationships whose destinations are taken, too: a name, or a list of names, as \"Quake.reports\"."),
      ("sample", "The share of the first objects that is taken, chosen by a hash of the key: 0.01."),
      (
        "mask",
        "How attributes are masked: `{ [\"User.email\"] = \"email\", [\"*.name\"] = function(value, object) … end }`."
      ),
      ("secret", "A text from which masks are derived, so that each copy has the same ones; random without it."),
    ])

  /// `app:copy(open("archive.sqlite", { create = true, model = app.model }))`
  private func copy(_ call: Call) throws -> ReturnValue {
    try checkOpen(call)
    guard let other = engine.classes.object(BoundStore.self, at: call.index(1), on: call.stack) else {
      throw call.expected("a store", 1)
    }
    try other.checkOpen(call)
    try other.checkNotSaving()
    try other.checkNoBatch(call.place)
    let options = try call.options(2, ["from", "follow", "sample", "mask", "secret"])
    let part = try subsetOptions(options)
    let masks = try MaskOptions.read(options, for: self)
    try checkNoBatch(call.place)
    // The functions of masks must write neither into the open transaction nor into what is read.
    (isInBatch, other.isInBatch) = (true, true)
    defer { (isInBatch, other.isInBatch) = (false, false) }
    let report: StoreCopy.Report
    let subset: Subset?
    do {
      (report, subset) = try objectStore.reading {
        let subset = part.isWhole ? nil : try Subset(of: objectStore, part)
        return (try StoreCopy(from: objectStore, to: other.objectStore, subset, masks: masks).run(), subset)
      }
    } catch {
      // A mask's function may have closed one of them.
      try checkOpen(call)
      try other.checkOpen(call)
      throw error
    }
    other.refreshAllObjects()
    var fields: [(name: String, value: ReturnValue)] = [
      ("counts", .record(report.counts.map { ($0.key, .integer($0.value)) })), ("leftOut", .texts(report.leftOut)),
    ]
    if let subset {
      let text = SubsetText(part)
      fields.append(("taken", .list(subset.shares.map { table($0, text) })))
      fields.append(("next", .list(try subset.candidates().map { table($0, text) })))
    }
    return .record(fields)
  }

  private func table(_ share: Subset.Share, _ text: SubsetText) -> ReturnValue {
    let fields: [(name: String, value: ReturnValue)] = [
      ("entity", .text(share.entity)), ("count", .integer(share.count)), ("reason", .text(text.reason(share.reason))),
    ]
    return .printed(.record(fields), kind: "Taken", text: text.line(of: share))
  }

  private func table(_ candidate: Subset.Candidate, _ text: SubsetText) -> ReturnValue {
    let fields: [(name: String, value: ReturnValue)] = [
      ("relationship", .text(candidate.relationship)), ("entity", .text(candidate.entity)),
      ("count", .integer(candidate.count)),
    ]
    return .printed(.record(fields), kind: "Next", text: text.line(of: candidate))
  }

  private func subsetOptions(_ options: Options) throws -> SubsetOptions {
    var part = SubsetOptions()
    part.from =
      try options.with("from") { index in
        let call = options.call
        if let one = try request(at: index, call) { return [one] }
        return try call.stack.elements(at: index) { element in
          guard let one = try request(at: element, call) else {
            throw options.expected("a list of requests and entities", "from", element)
          }
          return one
        } ?? { throw options.expected("a list of requests and entities", "from", index) }()
      } ?? []
    part.follow = try options.names("follow")
    part.sample = try options.number("sample") ?? 1
    return part
  }

  /// A request or an entity of this store as a request for objects; nil for anything else.
  private func request(at index: Int32, _ call: Call) throws -> FetchRequest? {
    let classes = call.engine.classes
    var request: FetchRequest
    let context: BoundContext
    if let entity = classes.object(BoundEntity.self, at: index, on: call.stack) {
      (request, context) = (FetchRequest(entity.entity), entity.context)
    } else if let bound = classes.object(BoundRequest.self, at: index, on: call.stack) {
      (request, context) = (try bound.ready(call), bound.context)
    } else {
      return nil
    }
    guard context.store === self else { throw call.fail("from: \(request.entity.name) is of another store") }
    guard request.resultType == .objects else { throw call.fail("from: expected requests for objects") }
    request.includesPendingChanges = false
    return request
  }
}
