package schema

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
)

// place is a place in a value: a list of tokens, the last one first.
type place struct {
	up    *place
	token string
}

// String writes the place as a JSON pointer.
func (p *place) String() string {
	if p == nil {
		return ""
	}
	return p.up.String() + "/" + escape(p.token)
}

// evaluation compares one value with one schema.
type evaluation struct {
	scope  []*resource // the resources on the way to the present schema
	active map[visit]bool
	ofMeta bool // whether the value is a schema, and the schema a meta-schema
}

// visit is one schema at one place of the value.
type visit struct {
	n  *node
	at *place
}

func newEvaluation() *evaluation { return &evaluation{active: map[visit]bool{}} }

// judgement is what one schema says about one part of the value.
type judgement struct {
	*evaluation
	n        *node
	value    any
	at       *place
	problems []Problem
	names    map[string]bool // properties that a schema has looked at
	items    map[int]bool    // items that a schema has looked at
}

// check compares a part of the value with a schema.
func (e *evaluation) check(n *node, value any, at *place) *judgement {
	j := &judgement{evaluation: e, n: n, value: value, at: at, names: map[string]bool{}, items: map[int]bool{}}
	// The same schema at the same place would be applied without end.
	here := visit{n, at}
	switch {
	case n.verdict != nil:
		if !*n.verdict {
			j.report("the schema allows no value here")
		}
		return j
	case e.active[here]:
		j.report("the schema refers to itself without end")
		return j
	}
	// A schema may name another draft for a part of itself.
	if e.ofMeta {
		n = dialect(n, value)
		j.n = n
	}
	e.active[here] = true
	e.scope = append(e.scope, n.in)
	defer func() {
		delete(e.active, here)
		e.scope = e.scope[:len(e.scope)-1]
	}()
	j.checkReferences()
	// In older drafts a reference replaces all keywords beside it.
	if n.onlyRefers {
		return j
	}
	j.checkAny()
	switch value := value.(type) {
	case string:
		j.checkString(value)
	case []any:
		j.checkArray(value)
	case map[string]any:
		j.checkObject(value)
	default:
		j.checkNumber()
	}
	j.checkLogic()
	j.checkUnevaluated()
	return j
}

func (j *judgement) report(format string, args ...any) {
	j.problems = append(j.problems, Problem{Path: j.at.String(), What: fmt.Sprintf(format, args...)})
}

// merge adopts what another schema says about the same part of the value.
func (j *judgement) merge(other *judgement) {
	j.problems = append(j.problems, other.problems...)
	// A schema that does not match has evaluated nothing.
	if len(other.problems) == 0 {
		maps.Copy(j.names, other.names)
		maps.Copy(j.items, other.items)
	}
}

// checkHere compares the same part of the value with another schema.
func (j *judgement) checkHere(n *node) *judgement { return j.check(n, j.value, j.at) }

// checkInside compares an item or a property with a schema.
func (j *judgement) checkInside(n *node, value any, token string) {
	j.problems = append(j.problems, j.check(n, value, &place{j.at, token}).problems...)
}

func (j *judgement) checkReferences() {
	if target := j.n.refers["$ref"]; target != nil {
		j.merge(j.checkHere(target))
	}
	if target := j.n.refers["$recursiveRef"]; target != nil {
		if target.in.recursive && target == target.in.root {
			// The outermost schema on the way decides what a dynamic reference means.
			for _, in := range j.scope {
				if in.recursive {
					target = in.root
					break
				}
			}
		}
		j.merge(j.checkHere(target))
	}
	if target := j.n.refers["$dynamicRef"]; target != nil {
		if j.n.dynamicRef != "" {
			for _, in := range j.scope {
				if dynamic := in.dynamic[j.n.dynamicRef]; dynamic != nil {
					target = dynamic
					break
				}
			}
		}
		j.merge(j.checkHere(target))
	}
}

// checkLogic applies the keywords that combine schemas.
func (j *judgement) checkLogic() {
	for _, part := range j.n.list["allOf"] {
		j.merge(j.checkHere(part))
	}
	if parts := j.n.list["anyOf"]; parts != nil {
		matching, failed := j.divide(parts)
		if len(matching) == 0 {
			j.problems = append(j.problems, failed...)
		}
	}
	if parts := j.n.list["oneOf"]; parts != nil {
		matching, failed := j.divide(parts)
		switch {
		case len(matching) == 0:
			j.problems = append(j.problems, failed...)
		case len(matching) > 1:
			j.report("it matches %d schemas of oneOf (the first two are %d and %d), want one", len(matching), matching[0], matching[1])
		}
	}
	if not := j.n.one["not"]; not != nil && len(j.checkHere(not).problems) == 0 {
		j.report("it matches the schema of not")
	}
	if condition := j.n.one["if"]; condition != nil {
		answer := j.checkHere(condition)
		next := j.n.one["else"]
		if len(answer.problems) == 0 {
			j.merge(answer)
			next = j.n.one["then"]
		}
		if next != nil {
			j.merge(j.checkHere(next))
		}
	}
}

// divide returns which schemas match, by index, and what the others report.
func (j *judgement) divide(parts []*node) (matching []int, failed []Problem) {
	for i, part := range parts {
		answer := j.checkHere(part)
		if len(answer.problems) > 0 {
			failed = append(failed, answer.problems...)
			continue
		}
		matching = append(matching, i)
		j.merge(answer)
	}
	return matching, failed
}

// checkUnevaluated applies a schema to what no other schema has looked at.
func (j *judgement) checkUnevaluated() {
	if rest := j.n.one["unevaluatedProperties"]; rest != nil {
		if object, ok := j.value.(map[string]any); ok {
			j.checkOthers(rest, object, "unevaluated")
		}
	}
	if rest := j.n.one["unevaluatedItems"]; rest != nil {
		if array, ok := j.value.([]any); ok {
			for i, item := range array {
				if !j.items[i] {
					j.checkInside(rest, item, strconv.Itoa(i))
					// Schemas around this one see the item as evaluated.
					j.items[i] = true
				}
			}
		}
	}
}

// checkOthers applies a schema to the properties that no schema has looked at.
func (j *judgement) checkOthers(rest *node, object map[string]any, kind string) {
	var refused []string
	for _, name := range slices.Sorted(maps.Keys(object)) {
		switch {
		case j.names[name]:
			continue
		case rest.verdict != nil && !*rest.verdict:
			refused = append(refused, quote(name))
		default:
			j.checkInside(rest, object[name], name)
		}
		j.names[name] = true
	}
	if len(refused) > 0 {
		j.report("%s properties %s not allowed", kind, strings.Join(refused, ", "))
	}
}

// quote puts a text in single quotes.
func quote(text string) string {
	quoted := strconv.Quote(text)
	return "'" + strings.ReplaceAll(strings.ReplaceAll(quoted[1:len(quoted)-1], `\"`, `"`), `'`, `\'`) + "'"
}
