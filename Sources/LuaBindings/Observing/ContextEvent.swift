/// The events of a context that functions can observe: `context:on("willSave", fn)`.
enum ContextEvent: String, CaseIterable {
  case willSave, didSave, objectsDidChange
}
