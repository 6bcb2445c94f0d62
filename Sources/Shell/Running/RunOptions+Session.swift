internal import LuaBindings
internal import Presentation
internal import Reactive
internal import Session

extension RunOptions {
  /// What the session of a run with this store is made with.
  func session(_ store: StoreAccess, _ surroundings: Surroundings) -> SessionOptions {
    var options = SessionOptions()
    if let memoryLimit { options.engine.memoryLimit = memoryLimit }
    options.engine.isSandboxed = isSandboxed
    options.engine.opensReadOnly = store.isReadOnly
    options.engine.writesCoreData = store.writesCoreData
    options.engine.isDryRun = store.isDryRun
    options.engine.readsDateTexts = store.readsDateTexts
    options.engine.usesASCII = surroundings.charset == .ascii
    if !isSandboxed {
      let variables = Surroundings.variables(["XDG_CONFIG_HOME", "HOME"])
      options.engine.preferencePath = PreferenceFile.standardPath { variables[$0] }
      let home = variables["HOME"].flatMap { $0.isEmpty ? nil : $0 + "/.config" }
      let folder = variables["XDG_CONFIG_HOME"].flatMap { $0.hasPrefix("/") ? $0 : nil } ?? home
      options.configurationFolder = folder.map { $0 + "/perilune" }
    }
    options.mode = mode.flatMap(OutputMode.init(rawValue:))
    (options.isQuiet, options.showsTraces) = (isQuiet, showsTraces)
    (options.timeout, options.processMemoryLimit) = (timeout, memoryLimit)
    return options
  }
}
