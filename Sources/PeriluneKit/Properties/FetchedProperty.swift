internal import Foundation
internal import LiveQueries
internal import ObjectGraph
internal import Reactive

/// The state of a fetched property: its configuration in Swift, and the engine's live property.
final class FetchedProperty<Object: ManagedObject> {
  typealias Configuration = FetchRequest<Object>.Configuration

  let live: LiveProperty
  private var typed: Configuration

  /// Creates a property that fetches from the context of `environment`.
  init(
    _ configuration: Configuration, _ animation: Animation?, _ transaction: Transaction?, entityName: String? = nil,
    in environment: Reactive.Environment = .ofProgram
  ) {
    typed = configuration
    let shown = transaction?.disablesAnimations == true ? nil : animation ?? transaction?.animation
    live = LiveProperty(entityName ?? Object.entityName, animation: shown, in: environment, configuration.apply)
  }

  /// The configuration. If it cannot be fetched, it sets the property's error and changes nothing else.
  var configuration: Configuration {
    get {
      // This read is tracked.
      _ = live.results
      return typed
    }
    set {
      (live.context?.face as? ManagedObjectContext)?.opened.turn.joinTransaction()
      if live.configure(newValue.apply) { typed = newValue }
    }
  }

  /// A binding to the configuration.
  var binding: Binding<Configuration> {
    Binding(get: { self.configuration }, set: { self.configuration = $0 })
  }

  /// Fetches from the environment's context, unless that is done.
  func update() { _ = live.results }
}

extension LiveObjects {
  /// The context of the objects.
  func context(of property: LiveProperty) -> ManagedObjectContext? { property.context?.face as? ManagedObjectContext }
}
