package picture

import (
	"chant/engine/spec"

	"chant/text"
)

// group is a set of states that are drawn alike.
type group struct {
	name, colour, more string // more is for Mermaid
	box, on            Class
}

func groups() []group {
	return []group{
		{"done", "#1a7f37", "", BoxDone, OnDone},
		{"ready", "#0969da", "", BoxReady, OnReady},
		{"busy", "#9a6700", "", BoxBusy, OnBusy},
		{"bad", "#cf222e", "", BoxBad, OnBad},
		{"gone", "#6e7781", ",stroke-dasharray:4 3", BoxGone, Faint},
		{"waiting", "#6e7781", "", Plain, Faint},
	}
}

// groupOf returns the name of a spec's group.
func groupOf(s Spec) string {
	switch s.State() {
	case string(spec.Completed), Archived:
		return "done"
	case "ready":
		return "ready"
	case string(spec.InProgress), string(spec.Paused), "not landed":
		return "busy"
	case string(spec.Failed), string(spec.NeedsAttention), Invalid:
		return "bad"
	case string(spec.Cancelled), Missing:
		return "gone"
	}
	return "waiting"
}

func groupNamed(name string) group {
	for _, one := range groups() {
		if one.name == name {
			return one
		}
	}
	return group{}
}

func colourOf(s Spec) string { return groupNamed(groupOf(s)).colour }

// shownTitle returns the text below the id of a spec.
func shownTitle(s Spec) string {
	if s.Status == Invalid {
		return "cannot be read"
	}
	return text.OneLine(s.Title)
}
