package spec

import (
	"reflect"
	"slices"
	"strings"
)

// OwnKeys lists the front-matter keys whose meaning is chant's: they say where a spec
// stands, what it waits for and what it is judged by. Keys that only describe a spec,
// though chant reads them, are not among them.
func OwnKeys() []string {
	describing := []string{"labels", "context", "priority"}
	return slices.DeleteFunc(Keys(), func(key string) bool { return slices.Contains(describing, key) })
}

// Keys lists the front-matter keys that chant reads.
func Keys() []string { return keysOfType(reflect.TypeFor[Fields]()) }

// keysOfType lists the keys that YAML has for the fields of a struct.
func keysOfType(t reflect.Type) []string {
	out := make([]string, 0, t.NumField())
	for i := range t.NumField() {
		name, _, _ := strings.Cut(t.Field(i).Tag.Get("yaml"), ",")
		out = append(out, name)
	}
	return out
}
