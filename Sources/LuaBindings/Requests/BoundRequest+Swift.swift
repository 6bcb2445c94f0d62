internal import LuaRuntime
internal import Modeling
internal import ObjectGraph
internal import Queries
internal import SwiftPrinting

extension BoundRequest {
  static let swiftMembers: [Member<BoundRequest>] = [
    .method(
      "swift", "request:swift([form] [, { name = , test = , exact = }]) -> string",
      "The request as Swift: \"fetchRequest\", \"nsFetchRequest\", \"sectionedFetchRequest\", \"query\", \"fetchDescriptor\", \"resultsObserver\", or its predicate.",
      sandbox: .allowed, example: #"("fetchRequest")"#
    ) { call, request in
      let form = try call.choice(1, SwiftForm.self) ?? SwiftPrinter.form(for: request.request)
      let options = try SwiftOptions(call, 2)
      let printer = SwiftPrinter(entity: request.entity, name: options.name)
      var printed = request.request
      var note = ""
      if let predicate = printed.predicate {
        let settled = try options.settled(predicate, of: request.entity, as: form, call)
        (printed.predicate, note) = (settled.predicate, settled.note)
      }
      var source = try note + printer.source(of: printed, as: form)
      if options.isTest { source += "\n\n" + (try request.swiftTest(call, form, options.name)) }
      return .text(source)
    }
  ]

  /// A test of the predicate with objects of the store: some that match, some that do not.
  func swiftTest(_ call: Call, _ form: SwiftForm, _ name: String?) throws -> String {
    let predicate = request.predicate ?? .constant(true)
    let inMemory = try CompiledPredicate(predicate, entity: entity, semantics: .memory)
    let inStore = try CompiledPredicate(predicate, entity: entity)
    let all = try context.objectContext.fetch(Queries.FetchRequest(entity))
    var samples = SwiftTestSamples()
    for position in 0..<all.count where !samples.isFull {
      let object = ManagedObject(table: all.objects, slot: all.slot(at: position))
      samples.add(
        object, isMatch: try inMemory.evaluate(object) == true, isNeither: try inStore.evaluate(object) == nil)
      try call.engine.lua.checkInterrupt()
    }
    return try SwiftPrinter(entity: entity, name: name).testSource(of: predicate, as: form, samples)
  }
}
