internal import Foundation
public import Reactive

/// A property that lasts from one run of the program to the next.
///
///     @AppStorage("minimum") var minimum = 5.0
///     minimum = 6                                          // 6 in the next run, too
///     let slider = $minimum                                // a Binding<Double>
///
/// It is kept in a file of the program, `~/.config/<program>/storage.json`, or in that of `\.defaultAppStorage` where the
/// environment has one when the property is first used.
@propertyWrapper
public struct AppStorage<Value: PreferenceRepresentable> {
  private let stored: LazyStorage<Reactive.AppStorage<Value>>

  /// The value called `name`.
  public init(wrappedValue: Value, _ name: String, store: PreferenceFile? = nil) {
    stored = LazyStorage {
      Reactive.AppStorage(name, wrappedValue, in: store ?? EnvironmentValues.current.defaultAppStorage)
    }
  }

  /// The value.
  public var wrappedValue: Value {
    get { stored.value.value }
    nonmutating set { stored.value.value = newValue }
  }

  /// A binding to the value.
  public var projectedValue: Binding<Value> { stored.value.binding() }
}

/// A property of one scene, which is the store of the environment's context, that lasts from one run to the next.
///
///     @SceneStorage("filter") var filter = ""
@propertyWrapper
public struct SceneStorage<Value: PreferenceRepresentable> {
  private let stored: LazyStorage<Reactive.SceneStorage<Value>>

  /// The value called `name` of the scene.
  public init(wrappedValue: Value, _ name: String, store: PreferenceFile? = nil) {
    stored = LazyStorage {
      let environment = EnvironmentValues.current
      let scene = environment.managedObjectContext?.opened.store.path ?? ""
      return Reactive.SceneStorage(name, wrappedValue, of: scene, in: store ?? environment.defaultAppStorage)
    }
  }

  /// The value.
  public var wrappedValue: Value {
    get { stored.value.value }
    nonmutating set { stored.value.value = newValue }
  }

  /// A binding to the value.
  public var projectedValue: Binding<Value> { stored.value.binding() }
}

/// Something that is made when it is first needed.
private final class LazyStorage<Stored> {
  private let make: () -> Stored
  lazy var value = make()

  init(_ make: @escaping () -> Stored) { self.make = make }
}

/// The file that `AppStorage` keeps values in, as a value of the environment.
private enum AppStorageKey: EnvironmentKey {
  static var defaultValue: PreferenceFile? { nil }
}

extension EnvironmentValues {
  /// The file that `AppStorage` and `SceneStorage` keep values in; that of the program if nothing else is said.
  public var defaultAppStorage: PreferenceFile {
    get { self[AppStorageKey.self] ?? .ofProgram }
    set { self[AppStorageKey.self] = newValue }
  }
}

extension PreferenceFile {
  /// `storage.json` of the program among the user's configuration.
  fileprivate static var ofProgram: PreferenceFile {
    let threadDictionary = Thread.current.threadDictionary
    if let known = threadDictionary[key] as? PreferenceFile { return known }
    let variables = ProcessInfo.processInfo.environment
    let folder = variables["XDG_CONFIG_HOME"].flatMap { $0.hasPrefix("/") ? $0 : nil }
    let home = folder ?? variables["HOME"].flatMap { $0.isEmpty ? nil : $0 + "/.config" }
    let new = PreferenceFile(path: home.map { "\($0)/\(ProcessInfo.processInfo.processName)/storage.json" })
    threadDictionary[key] = new
    return new
  }

  private static let key = "PeriluneKit.PreferenceFile"
}
