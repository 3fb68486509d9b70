package planning

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"

	"chant/engine/run/usage"
	"chant/engine/spec"
	"chant/engine/store"
	"chant/markdown"
)

// Status is what has become of a plan.
type Status string

// The statuses.
const (
	Drafting Status = "drafting" // its criteria have not all run yet; it can be resumed
	Draft    Status = "draft"    // a person decides
	Accepted Status = "accepted" // its specs are in the project
	Dropped  Status = "dropped"
)

// document is a plan as its file has it, without the texts of its specs.
type document struct {
	ID       string             `yaml:"-"`
	Title    string             `yaml:"-"`
	Status   Status             `yaml:"status"`
	Idea     string             `yaml:"idea"`
	Source   string             `yaml:"source,omitempty"` // where the idea comes from: an address, a file
	Base     string             `yaml:"base"`             // the commit on which its criteria ran
	Draft    string             `yaml:"draft,omitempty"`  // the tip of the draft that was accepted
	Created  time.Time          `yaml:"created"`
	Provider string             `yaml:"provider"`
	Model    string             `yaml:"model,omitempty"`
	Cost     Cost               `yaml:"cost"`
	Brief    Brief              `yaml:"brief"`
	Done     []Done             `yaml:"done,omitempty"`
	Asked    []Question         `yaml:"questions,omitempty"`
	Specs    []string           `yaml:"specs"`            // ids, in order
	Amends   []string           `yaml:"amends,omitempty"` // ids of completed specs that get other wording
	Retire   []Retired          `yaml:"retires,omitempty"`
	Tried    map[string][]Tried `yaml:"tried"` // by id: each criterion, in order
}

// Cost is what the agents of a plan have used.
type Cost struct {
	USD       *float64 `json:"usd" yaml:"usd"` // US dollars, null if no cost is known
	TokensIn  int      `json:"tokens_in" yaml:"tokens_in"`
	TokensOut int      `json:"tokens_out" yaml:"tokens_out"`
	Agents    int      `json:"agents" yaml:"agents"` // how many were asked
	Seconds   float64  `json:"seconds" yaml:"seconds"`
}

func (c Cost) plus(s usage.Spending) Cost {
	if s.CostUSD != nil {
		sum := *s.CostUSD
		if c.USD != nil {
			sum += *c.USD
		}
		c.USD = &sum
	}
	c.TokensIn += s.Input
	c.TokensOut += s.Output
	c.Agents += s.Agents
	c.Seconds += s.Seconds
	return c
}

// planPath is the path of a plan.
func planPath(id string) string { return store.PlansDir + "/" + id + ".md" }

// readDocument reads a plan. Error: *markdown.SyntaxError.
func readDocument(id string, src []byte) (document, error) {
	doc, err := markdown.Parse(planPath(id), src)
	if err != nil {
		return document{}, err
	}
	var d document
	if err := doc.Decode(&d); err != nil {
		return document{}, err
	}
	d.ID, d.Title = id, doc.Title()
	if !slices.Contains([]Status{Drafting, Draft, Accepted, Dropped}, d.Status) {
		return document{}, &markdown.SyntaxError{Path: planPath(id), Line: max(1, doc.KeyLine("status")), Msg: fmt.Sprintf("status %q is none of drafting, draft, accepted and dropped", d.Status)}
	}
	return d, nil
}

// bytes returns the file of a plan: its data, and a text for people that is made of it.
func (d document) bytes(specs []planned) ([]byte, error) {
	doc, err := markdown.Parse(planPath(d.ID), []byte(d.body(specs)))
	if err != nil {
		return nil, err
	}
	edits := []markdown.Edit{
		markdown.Set("status", string(d.Status)), markdown.Set("idea", d.Idea), markdown.Set("base", d.Base),
		markdown.Set("created", d.Created.UTC().Format(time.RFC3339)), markdown.Set("provider", d.Provider),
		markdown.Set("cost", d.Cost), markdown.Set("brief", d.Brief), markdown.Set("specs", d.Specs), markdown.Set("tried", d.Tried),
	}
	for _, word := range []struct{ key, value string }{{"source", d.Source}, {"model", d.Model}, {"draft", d.Draft}} {
		if word.value != "" {
			edits = append(edits, markdown.Set(word.key, word.value))
		}
	}
	if len(d.Amends) > 0 {
		edits = append(edits, markdown.Set("amends", d.Amends))
	}
	if len(d.Retire) > 0 {
		edits = append(edits, markdown.Set("retires", d.Retire))
	}
	if len(d.Done) > 0 {
		edits = append(edits, markdown.Set("done", d.Done))
	}
	if len(d.Asked) > 0 {
		edits = append(edits, markdown.Set("questions", d.Asked))
	}
	if doc, err = doc.Apply(edits...); err != nil {
		return nil, err
	}
	return doc.Bytes(), nil
}

// body is the text of a plan for people.
func (d document) body(specs []planned) string {
	var out strings.Builder
	fmt.Fprintf(&out, "# %s\n\n%s.\n", spec.OneLine(d.Title), countOf(d.Tried, len(specs)))
	section := func(title string, lines []string) {
		if len(lines) > 0 {
			fmt.Fprintf(&out, "\n## %s\n\n%s\n", title, strings.Join(lines, "\n"))
		}
	}
	// Texts of an agent are one line each, so that they make no headings and no lists of their own.
	list := func(all []string) []string {
		var out []string
		for _, one := range all {
			out = append(out, "- "+spec.OneLine(one))
		}
		return out
	}
	if d.Brief.Goal != "" {
		section("Goal", []string{spec.OneLine(d.Brief.Goal)})
	}
	section("Not wanted", list(d.Brief.NonGoals))
	section("Risks", list(d.Brief.Risks))
	var lines []string
	for _, one := range d.Done {
		lines = append(lines, "- "+spec.OneLine(one.What)+": "+spec.OneLine(one.Where))
	}
	section("There already", lines)
	lines = nil
	for _, q := range d.Asked {
		lines = append(lines, "- "+spec.OneLine(q.Question), "  "+spec.OneLine(q.Answered()))
	}
	section("Questions", lines)
	lines = nil
	for i, s := range specs {
		line := fmt.Sprintf("%d. %s (`%s`)", i+1, spec.OneLine(s.doc.Title()), s.id)
		if len(s.dependsOn) > 0 {
			line += ", after " + strings.Join(s.dependsOn, ", ")
		}
		if s.redFor != "" {
			line += ", failing tests for " + s.redFor
		}
		lines = append(lines, line)
		for _, t := range d.Tried[s.id] {
			lines = append(lines, fmt.Sprintf("   - %s: %s", t.State.words(), spec.OneLine(t.Text)))
		}
	}
	section("Specs", lines)
	lines = nil
	for _, id := range d.Amends {
		lines = append(lines, "- `"+id+"` gets other wording")
	}
	for _, one := range d.Retire {
		lines = append(lines, "- `"+one.ID+"` is archived: "+spec.OneLine(one.Why))
	}
	section("Completed specs", lines)
	if len(specs) > 1 {
		section("Order", append(append([]string{"```mermaid", "graph LR"}, graph(specs)...), "```"))
	}
	return out.String()
}

// graph draws which specs wait for which, as lines of Mermaid.
func graph(specs []planned) []string {
	at := map[string]int{}
	for i, s := range specs {
		at[s.id] = i + 1
	}
	var out []string
	for i, s := range specs {
		out = append(out, fmt.Sprintf("  s%d[\"%d\"]", i+1, i+1))
		for _, id := range s.dependsOn {
			if n := at[id]; n > 0 {
				out = append(out, fmt.Sprintf("  s%d --> s%d", n, i+1))
			}
		}
	}
	return out
}

// waves numbers specs by when they can start, from 1: those of one wave can be worked side by side. What is not in the plan counts
// as done.
func waves(specs []planned) map[string]int {
	out := map[string]int{}
	known := map[string]planned{}
	for _, s := range specs {
		known[s.id] = s
	}
	var wave func(s planned) int
	wave = func(s planned) int {
		if n := out[s.id]; n > 0 {
			return n
		}
		out[s.id] = 1 // a person may have written a cycle, which accepting refuses
		n := 1
		for _, id := range s.dependsOn {
			if before, is := known[id]; is {
				n = max(n, wave(before)+1)
			}
		}
		out[s.id] = n
		return n
	}
	for _, s := range specs {
		wave(s)
	}
	return out
}

// Count counts the criteria of a plan.
type Count struct {
	Specs     int `json:"specs"`
	Criteria  int `json:"criteria"`
	Commands  int `json:"commands"` // that are run by a command
	Red       int `json:"red"`
	Guards    int `json:"guards"`
	Green     int `json:"green"`
	CannotRun int `json:"cannot_run"`
	ByHand    int `json:"by_hand"`
}

func countOf(tried map[string][]Tried, specs int) Count {
	n := Count{Specs: specs}
	for _, all := range tried {
		for _, t := range all {
			n.Criteria++
			if t.Command != "" && t.State != CannotRun {
				n.Commands++
			}
			// A person may have written another word into the file.
			if of := map[State]*int{Red: &n.Red, Guard: &n.Guards, Green: &n.Green, CannotRun: &n.CannotRun, ByHand: &n.ByHand}[t.State]; of != nil {
				*of++
			}
		}
	}
	return n
}

// String is the count as people read it: "9 specs, 31 criteria, 24 run by command, 22 red now, 2 guards".
func (n Count) String() string {
	out := fmt.Sprintf("%s, %s, %d run by command, %d red now", plural(n.Specs, "spec", "specs"), plural(n.Criteria, "criterion", "criteria"), n.Commands, n.Red)
	for _, part := range []struct {
		n    int
		text string
	}{
		{n.Guards, plural(n.Guards, "guard", "guards")}, {n.Green, fmt.Sprintf("%d green already", n.Green)},
		{n.CannotRun, fmt.Sprintf("%d not runnable: a person ticks them", n.CannotRun)}, {n.ByHand, fmt.Sprintf("%d ticked by a person", n.ByHand)},
	} {
		if part.n > 0 {
			out += ", " + part.text
		}
	}
	return out
}

func plural(n int, one, many string) string {
	return fmt.Sprintf("%d %s", n, map[bool]string{true: one, false: many}[n == 1])
}

func (s State) words() string { return strings.ReplaceAll(string(s), "_", " ") }

// slug is a short name for an idea, of its first words.
func slug(idea string) string {
	const most = 40 // characters
	var out strings.Builder
	for _, word := range strings.FieldsFunc(strings.ToLower(idea), func(r rune) bool { return (r < 'a' || r > 'z') && (r < '0' || r > '9') }) {
		if out.Len() > 0 && out.Len()+len(word) >= most {
			break
		}
		if out.Len() > 0 {
			out.WriteByte('-')
		}
		out.WriteString(word[:min(len(word), most)])
	}
	// In another script nothing may be left.
	return cmp.Or(out.String(), "plan")
}
