package schema

import (
	"maps"
	"slices"
	"strconv"
	"strings"
)

// checkArray applies the keywords for arrays.
func (j *judgement) checkArray(array []any) {
	j.checkCount("minItems", "maxItems", len(array))
	if unique, _ := j.n.keys["uniqueItems"].(bool); unique {
		first := map[string]int{}
		for i, item := range array {
			text := canonical(item)
			// One pair is enough to show the mistake.
			if before, found := first[text]; found {
				j.report("the items at %d and %d are equal", before, i)
				break
			}
			first[text] = i
		}
	}
	fixed, rest := j.n.list["prefixItems"], j.n.one["items"]
	// Older drafts use another keyword for the same.
	if j.n.draft < draft2020 && rest == nil {
		if fixed = j.n.list["items"]; fixed != nil {
			rest = j.n.one["additionalItems"]
		}
	}
	for i, item := range array {
		switch {
		case i < len(fixed):
			j.checkInside(fixed[i], item, strconv.Itoa(i))
		case rest != nil && rest.verdict != nil && !*rest.verdict:
			j.report("got %d items, want at most %d", len(array), len(fixed))
			return
		case rest != nil:
			j.checkInside(rest, item, strconv.Itoa(i))
		default:
			continue
		}
		j.items[i] = true
	}
	j.checkContains(array)
}

// checkContains applies contains with its limits.
func (j *judgement) checkContains(array []any) {
	wanted := j.n.one["contains"]
	if wanted == nil {
		return
	}
	matching := 0
	for i, item := range array {
		if len(j.check(wanted, item, &place{j.at, strconv.Itoa(i)}).problems) == 0 {
			matching++
			// Only the last draft counts these items as evaluated.
			if j.n.draft >= draft2020 {
				j.items[i] = true
			}
		}
	}
	least, ok := j.count("minContains")
	if !ok {
		least = 1
	}
	if matching < least {
		j.report("%d items match the schema of contains, want at least %d", matching, least)
	}
	if most, ok := j.count("maxContains"); ok && matching > most {
		j.report("%d items match the schema of contains, want at most %d", matching, most)
	}
}

// checkObject applies the keywords for objects.
func (j *judgement) checkObject(object map[string]any) {
	j.checkCount("minProperties", "maxProperties", len(object))
	j.checkRequired(object, j.n.keys["required"], "")
	for _, name := range slices.Sorted(maps.Keys(object)) {
		if part := j.n.named["properties"][name]; part != nil {
			j.names[name] = true
			j.checkInside(part, object[name], name)
		}
		for _, pattern := range slices.Sorted(maps.Keys(j.n.named["patternProperties"])) {
			if j.n.patterns[pattern].MatchString(name) {
				j.names[name] = true
				j.checkInside(j.n.named["patternProperties"][pattern], object[name], name)
			}
		}
		if names := j.n.one["propertyNames"]; names != nil {
			for _, p := range j.check(names, name, &place{j.at, name}).problems {
				// A name has no place of its own in the value.
				p.Path = j.at.String()
				p.What = "the property name " + quote(name) + ": " + p.What
				j.problems = append(j.problems, p)
			}
		}
	}
	if rest := j.n.one["additionalProperties"]; rest != nil {
		j.checkOthers(rest, object, "additional")
	}
	j.checkDependent(object)
}

// checkDependent applies the keywords that require something if a property is there.
func (j *judgement) checkDependent(object map[string]any) {
	for _, key := range []string{"dependencies", "dependentRequired", "dependentSchemas"} {
		parts, _ := j.n.keys[key].(map[string]any)
		for _, name := range slices.Sorted(maps.Keys(parts)) {
			if _, found := object[name]; !found {
				continue
			}
			j.checkRequired(object, parts[name], ", which "+quote(name)+" requires")
			if part := j.n.named[key][name]; part != nil {
				j.merge(j.checkHere(part))
			}
		}
	}
}

// checkRequired reports the names of a list that are missing.
func (j *judgement) checkRequired(object map[string]any, list any, why string) {
	names, _ := list.([]any)
	var missing []string
	for _, name := range names {
		if name, ok := name.(string); ok {
			if _, found := object[name]; !found {
				missing = append(missing, quote(name))
			}
		}
	}
	switch len(missing) {
	case 0:
	case 1:
		j.report("missing property %s%s", missing[0], why)
	default:
		j.report("missing properties %s%s", strings.Join(missing, ", "), why)
	}
}

// checkCount compares a number of things with two limits.
func (j *judgement) checkCount(least, most string, got int) {
	if want, ok := j.count(least); ok && got < want {
		j.report("%s: got %d, want %d", least, got, want)
	}
	if want, ok := j.count(most); ok && got > want {
		j.report("%s: got %d, want %d", most, got, want)
	}
}
