internal import LuaRuntime
internal import Modeling
internal import ObjectGraph
internal import Queries

// Methods of requests that entities and to-many relationships have, too: `Quake:sorted("-time")`,
// `q.reports:where("intensity > 5"):live()`.

/// The methods of requests with these names, as methods of another kind of value.
private func forwarded<Owner: Bound>(
  _ names: [String], from members: [Member<BoundRequest>], as word: String, examples: [String: String],
  _ request: @escaping @Sendable (Call, Owner) throws -> BoundRequest
) -> [Member<Owner>] {
  names.map { name in
    guard let member = members.first(where: { $0.name == name }), case .method(let body) = member.body
    else { preconditionFailure("requests have no method '\(name)'") }
    let known = member.declaration
    let prefix = "request:"
    // `replacing` would look through each signature for a pattern, at each start.
    let signature =
      known.signature.hasPrefix(prefix) ? "\(word):\(String(known.signature.dropFirst(prefix.count)))" : known.signature
    return .method(
      name, signature, known.summary, sandbox: known.sandbox,
      example: examples[name] ?? known.example
    ) { call, owner in
      try body(call, try request(call, owner))
    }
  }
}

extension BoundEntity {
  /// The request methods of an entity, which apply to all its objects. A script may override them.
  static func requestMembers(from members: [Member<BoundRequest>]) -> [Member<BoundEntity>] {
    let members: [Member<BoundEntity>] = forwarded(
      [
        "sorted", "limit", "offset", "fetch", "page", "each", "sum", "average", "min", "max", "aggregate", "groupBy",
        "grouped", "explain", "live", "plot", "summary", "facets", "pivot",
      ], from: members, as: "Entity", examples: ["each": "for q in Quake:each() do print(q.code) end"]
    ) { _, entity in try entity.request() }
    return members.map { member in
      var member = member
      member.isOverridable = true
      return member
    }
  }
}

extension BoundCollection {
  /// The request methods of a to-many relationship, which apply to its members.
  static func requestMembers(from members: [Member<BoundRequest>]) -> [Member<BoundCollection>] {
    forwarded(
      [
        "where", "sorted", "limit", "offset", "fetch", "count", "first", "exists", "page", "sum", "average", "min",
        "max", "aggregate", "groupBy", "grouped", "explain", "live", "plot", "summary", "facets", "pivot",
      ], from: members, as: "collection",
      examples: [
        "where": #"("text CONTAINS[c] %@", "felt")"#, "sorted": #"("text")"#, "sum": #"("quake.magnitude")"#,
        "average": #"("quake.magnitude")"#, "min": #"("text")"#, "max": #"("text")"#,
        "aggregate": #"("count(text)")"#, "groupBy": #"("text", { n = "count" })"#,
        "grouped": #"("text", { n = "count" })"#, "plot": #"({ x = "text" })"#, "facets": #"("text")"#,
        "pivot": #"({ rows = "text", columns = "length(text)" })"#,
      ]
    ) { call, collection in try collection.request(call) }
  }

  /// The request for the members: the objects whose inverse is the owner.
  private func request(_ call: Call) throws -> BoundRequest {
    try context.checkOpen(call.place)
    context.noteRead(of: object)
    let destination = object.entity.destination(at: property)
    guard let inverse = object.entity.inverse(at: property) else {
      throw call.fail(
        "the relationship has no inverse, by which a request could find its members; each() goes through them")
    }
    let isToMany = destination.properties[inverse].relationship?.isToMany == true
    var request = Queries.FetchRequest(destination)
    request.predicate = try Predicate.parse(
      isToMany ? "ANY %K == %@" : "%K == %@",
      arguments: [.value(.string(destination.properties[inverse].name)), .value(.object(object.objectID))])
    return try BoundRequest(checking: request, context)
  }
}
