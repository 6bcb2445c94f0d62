internal import LuaRuntime
internal import Modeling
internal import ObjectGraph
internal import Queries

/// The objects that refer to an object, by the relationships that lead to its entity.
enum ObjectReferences {
  static let methods: [ObjectMethod] = [
    ObjectMethod(
      "references", "object:references() -> rows",
      "The objects that refer to this one: rows with entity, relationship, count and a request for them.",
      sandbox: .allowed, example: "()"
    ) { call, object, context in
      context.noteRead(of: object)
      var rows: [(entity: String, relationship: String, count: Int, request: BoundRequest)] = []
      for (name, request) in object.referenceRequests {
        try call.engine.lua.checkInterrupt()
        let request = try BoundRequest(checking: request, context)
        let count = try context.objectContext.count(try request.ready(call))
        if count > 0 { rows.append((request.entity.name, name, count, request)) }
      }
      return try answer(rows, call)
    }
  ]

  private static func answer(
    _ rows: [(entity: String, relationship: String, count: Int, request: BoundRequest)], _ call: Call
  ) throws -> ReturnValue {
    let count = try call.push(
      .list(
        rows.map {
          .record([
            ("entity", .text($0.entity)), ("relationship", .text($0.relationship)), ("count", .integer($0.count)),
            ("request", .object($0.request)),
          ])
        }))
    let listing = Listing(
      columns: [("entity", false), ("relationship", false), ("count", true)], count: rows.count,
      rowName: rows.count == 1 ? "relationship" : "relationships"
    ) { [.string(rows[$0].entity), .string(rows[$0].relationship), .int(Int64(rows[$0].count))] }
    call.setListing(listing, columns: ["entity", "relationship", "count"])
    return .pushed(count)
  }
}
