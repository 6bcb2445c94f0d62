internal import Reactive

/// Whose reading of a live result's configuration is tracked, by property: who has read the order does not run again
/// because rows or another predicate came.
final class ConfigurationSources {
  /// The property that stands for all of them.
  static let all = "request"

  private var sources: [String: ObservationSource] = [:]

  /// Says that a property is being read.
  func access(_ name: String) {
    guard ObservationSource.isTracking else { return }
    let property = Self.property(name)
    let source = sources[property] ?? ObservationSource()
    sources[property] = source
    source.access()
  }

  /// Says that properties have other values.
  func didChange(_ names: [String]) {
    for name in Set(names.map(Self.property)).union([Self.all]) { sources[name]?.didChange() }
  }

  /// The property that another word stands for.
  private static func property(_ name: String) -> String {
    if name == "order" { return "sortDescriptors" }
    return ResultsConfiguration.synonyms.first { $0.key == name }?.value ?? name
  }
}
