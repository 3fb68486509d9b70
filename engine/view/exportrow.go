package view

import (
	"bytes"
	"slices"
	"time"

	"chant/engine"
	"chant/engine/advice"
	"chant/engine/journal"
	"chant/engine/spec"
	"chant/engine/usage"
	"chant/providers/text"
)

// ExportRow is one spec of an export: the value of each field, in order. As JSON it is
// an object without the fields that have no value.
type ExportRow []ExportCell

// ExportCell is one field of one spec.
type ExportCell struct {
	Name  string
	Value any // a string, []string, bool, int, float64, or nil for none
}

// MarshalJSON keeps the order.
func (r ExportRow) MarshalJSON() ([]byte, error) {
	var out bytes.Buffer
	for _, c := range r {
		if c.Value == nil {
			continue
		}
		name, err := text.JSON(c.Name, "")
		if err != nil {
			return nil, err
		}
		value, err := text.JSON(c.Value, "")
		if err != nil {
			return nil, err
		}
		out.WriteString("," + string(name) + ":" + string(value))
	}
	return slices.Concat([]byte("{"), bytes.TrimPrefix(out.Bytes(), []byte(",")), []byte("}")), nil
}

// exported is a spec with everything from which its fields are read.
type exported struct {
	s    *spec.File
	g    *spec.Graph
	used func() (int, usage.Spending) // attempts, and what their agents have used

	vacuous bool // it is completed, and had nothing to verify
}

// exportRow reads the fields of one spec, and its journal only if a field needs it.
func exportRow(p *engine.Project, g *spec.Graph, s *spec.File, fields []exportField) (ExportRow, error) {
	var h *journal.History
	var err error
	x := exported{s: s, g: g, vacuous: s.Status == spec.Completed && advice.NothingToVerify(p, &s.Spec), used: func() (int, usage.Spending) {
		if h == nil && err == nil {
			h, err = journal.ReadHistory(p.Store, s.ID)
		}
		if err != nil {
			return 0, usage.Spending{}
		}
		return len(h.Attempts), usage.UsageOf(h, time.Time{})
	}}
	row := make(ExportRow, len(fields))
	for i, f := range fields {
		row[i] = ExportCell{f.name, f.value(x)}
	}
	return row, err
}

func (x exported) spent() usage.Spending {
	_, u := x.used()
	return u
}
