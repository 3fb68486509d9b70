package toolset

import (
	"cmp"
	"slices"
	"strings"
)

// Standalone is what differs where a server serves one set and no other: clients of another server then find its name and
// its tools, such as search of climpt. Beside tools of other sets their names begin with Prefix, so that they cannot be
// mistaken: climpt_search. The zero value changes nothing.
type Standalone struct {
	Server string // the name with which the server introduces itself; "" = chant
	Prefix string // what the names of tools lose; rows and texts of the set have it
	// Strict refuses a call of an unknown tool by the JSON-RPC error -32602, as MCP describes it, and not by a result with
	// isError. It is for sets whose clients know that error.
	Strict bool
}

// Served is the set as a server has it: its dialect is in each of its tools, and alone they have their short names,
// also where the texts of the set name them.
func (s Set) Served(alone bool) Set {
	rename := func(t Tool) Tool { return t }
	if alone && s.Standalone.Prefix != "" {
		short := s.shorten()
		s.Instructions = short.Replace(s.Instructions)
		rename = func(t Tool) Tool { return t.withShortName(s.Standalone.Prefix, short) }
	}
	// The rows of the receiver stay as they are.
	s.Tools = slices.Clone(s.Tools)
	for i, t := range s.Tools {
		t.Dialect = s.Dialect
		s.Tools[i] = rename(t)
	}
	return s
}

// shorten returns what shortens the names of tools in a text. Longer names come first, since they may begin with
// others.
func (s Set) shorten() *strings.Replacer {
	var names, pairs []string
	for _, t := range s.Tools {
		names = append(names, t.Name)
	}
	// Longer names come first, since they may begin with shorter ones.
	slices.SortFunc(names, func(a, b string) int { return cmp.Compare(len(b), len(a)) })
	for _, name := range names {
		pairs = append(pairs, name, strings.TrimPrefix(name, s.Standalone.Prefix))
	}
	return strings.NewReplacer(pairs...)
}

// withShortName is the tool with its short name, which keeps the long one as another.
func (t Tool) withShortName(prefix string, short *strings.Replacer) Tool {
	t.Name, t.LongName = strings.TrimPrefix(t.Name, prefix), t.Name
	t.Text = short.Replace(t.Text)
	t.Params = slices.Clone(t.Params)
	for i, p := range t.Params {
		t.Params[i].Text = short.Replace(p.Text)
	}
	return t
}

// Named reports whether a name means the tool: the one it is served by, or, where it is served alone, the one that it
// has beside tools of other sets, so that scripts need not know which it is.
func (t Tool) Named(name string) bool { return name != "" && (name == t.Name || name == t.LongName) }

// Set is a set of tools that a client can be offered as a whole.
type Set struct {
	Name         string // for --toolsets
	About        string // what the tools are for, a few words
	Instructions string // for the model; may be empty
	Tools        []Tool
	Standalone   Standalone // what differs where nothing else is served
	Dialect      *Dialect   // how the tools are served; nil = as MCP and chant have it
}
