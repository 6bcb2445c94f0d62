internal import Reactive

/// The observation sources of a live result's configuration, one for each property: an effect that read the order does
/// not run again because of other rows or another predicate.
final class ConfigurationSources {
  /// The property that represents all properties.
  static let all = "request"

  private var sources: [String: ObservationSource] = [:]

  /// Records a read of a property.
  func access(_ name: String) {
    guard ObservationSource.isTracking else { return }
    let property = Self.property(name)
    let source = sources[property] ?? ObservationSource()
    sources[property] = source
    source.access()
  }

  /// Reports a change of properties.
  func didChange(_ names: [String]) {
    for name in Set(names.map(Self.property)).union([Self.all]) { sources[name]?.didChange() }
  }

  /// The property for a synonym.
  private static func property(_ name: String) -> String {
    if name == "order" { return "sortDescriptors" }
    return ResultsConfiguration.synonyms.first { $0.key == name }?.value ?? name
  }
}
