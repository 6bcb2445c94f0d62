internal import Foundation
public import Reactive

/// A property that persists between runs of the program.
///
///     @AppStorage("minimum") var minimum = 5.0
///     minimum = 6                                          // 6 in the next run, too
///     let slider = $minimum                                // a Binding<Double>
///
/// The value is stored in the program's file, `~/.config/<program>/storage.json`, or in that of `\.defaultAppStorage`
/// if the environment has one when the property is first used.
@propertyWrapper
public struct AppStorage<Value: PreferenceRepresentable>: DynamicProperty {
  private let stored: LazyStorage<Reactive.AppStorage<Value>>

  /// Creates the value `name`.
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

/// A property of one scene, which is the store of the environment's context, that persists between runs of the program.
///
///     @SceneStorage("filter") var filter = ""
@propertyWrapper
public struct SceneStorage<Value: PreferenceRepresentable>: DynamicProperty {
  private let stored: LazyStorage<Reactive.SceneStorage<Value>>

  /// Creates the value `name` of the scene.
  public init(wrappedValue: Value, _ name: String, store: PreferenceFile? = nil) {
    stored = LazyStorage {
      let environment = EnvironmentValues.current
      let context = environment.managedObjectContext
      let scene = context.hasStore ? context.opened.store.path : ""
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

/// A value that is created on first use.
private final class LazyStorage<Stored> {
  private let make: () -> Stored
  lazy var value = make()

  init(_ make: @escaping () -> Stored) { self.make = make }
}

/// The file of `AppStorage`, as a value of the environment.
private enum AppStorageKey: EnvironmentKey {
  static var defaultValue: PreferenceFile? { nil }
}

extension EnvironmentValues {
  /// The file of `AppStorage` and `SceneStorage`; by default that of the program.
  public var defaultAppStorage: PreferenceFile {
    get { self[AppStorageKey.self] ?? .ofProgram }
    set { self[AppStorageKey.self] = newValue }
  }
}

extension PreferenceFile {
  /// The program's `storage.json` in the user's configuration folder.
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
