internal import Foundation
internal import LiveQueries
internal import ObjectGraph
internal import Reactive

/// The state of a fetched property: its configuration in Swift, and the engine's live property.
final class FetchedProperty<Object: ManagedObject> {
  let live: LiveProperty
  private var typed: FetchedConfiguration<Object>

  init(_ configuration: FetchedConfiguration<Object>, animation: String?) {
    typed = configuration
    live = LiveProperty(Object.entityName, animation: animation, in: .ofThread) { try configuration.engine() }
  }

  /// The configuration. If it cannot be fetched, it sets the property's error and changes nothing else.
  var configuration: FetchedConfiguration<Object> {
    get {
      // This read is tracked.
      _ = live.results
      return typed
    }
    set {
      do {
        let wanted = try newValue.engine()
        live.configuration = wanted
        if live.configuration == wanted { typed = newValue }
      } catch {
        try? live.configure { _ in throw error }
      }
    }
  }

  /// A binding to the configuration.
  var binding: Binding<FetchedConfiguration<Object>> {
    Binding(get: { self.configuration }, set: { self.configuration = $0 })
  }
}

extension LiveObjects {
  /// The context of the objects.
  func context(of property: LiveProperty) -> ManagedObjectContext? { property.context?.face as? ManagedObjectContext }
}
