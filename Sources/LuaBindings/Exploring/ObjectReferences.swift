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
      for (name, request) in context.objectContext.references(to: object) {
        try call.engine.lua.checkInterrupt()
        let request = try BoundRequest(checking: request, context)
        let count = try context.objectContext.count(try request.ready(call))
        if count > 0 { rows.append((request.entity.name, name, count, request)) }
      }
      push(rows, call)
      return 1
    }
  ]

  private static func push(
    _ rows: [(entity: String, relationship: String, count: Int, request: BoundRequest)], _ call: Call
  ) {
    let stack = call.stack
    stack.reserve(12)
    stack.pushTable(array: Int32(clamping: rows.count))
    for (number, row) in rows.enumerated() {
      stack.pushTable(hash: 4)
      stack.push(row.entity)
      stack.rawSet(field: "entity", at: -2)
      stack.push(row.relationship)
      stack.rawSet(field: "relationship", at: -2)
      stack.push(row.count)
      stack.rawSet(field: "count", at: -2)
      call.engine.classes.push(row.request, on: stack)
      stack.rawSet(field: "request", at: -2)
      stack.rawSet(element: Int64(number + 1), at: -2)
    }
    let listing = Listing(
      columns: [("entity", false), ("relationship", false), ("count", true)], count: rows.count,
      rowName: rows.count == 1 ? "relationship" : "relationships"
    ) { [.string(rows[$0].entity), .string(rows[$0].relationship), .int(Int64(rows[$0].count))] }
    call.setListing(listing, columns: ["entity", "relationship", "count"])
  }
}
