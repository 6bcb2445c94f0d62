// Types of the lower modules in this module's interface, under their own names: a program imports only PeriluneConsole.
@_exported public import enum LuaBindings.HostValue
@_exported public import enum Modeling.Value
