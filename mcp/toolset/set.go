package toolset

// Set is a set of tools that a client can be offered as a whole.
type Set struct {
	Name         string // for --toolsets
	About        string // what the tools are for, a few words
	Instructions string // for the model; may be empty
	Tools        []Tool
	Alone        Alone    // what differs where nothing else is served
	Dialect      *Dialect // how the tools are served; nil = as MCP and chant have it
}
