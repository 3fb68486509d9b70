package spec

import (
	"reflect"
	"strings"
	"testing"

	"chant/engine/spec/fileset"
	"chant/engine/spec/taskfields"

	"github.com/alecthomas/assert/v2"
)

// The table has exactly the keys that are parsed, and each has a text in the manual.
func TestKeyTable_parsed(t *testing.T) {
	t.Parallel()
	want := map[string]reflect.Type{}
	parsedKeys(reflect.TypeFor[Fields](), "", want)
	for _, key := range []string{"comments", "references", "imported_history"} { // of Notes, which rows leave out
		want[key] = reflect.TypeFor[[]taskfields.Comment]()
	}
	want["lotar"] = reflect.TypeFor[*taskfields.Relationships]() // of which lists read one value
	for _, key := range []string{"status", "verify.commands.run", "verify.retries", "limits.cost", "approval.required", "retry_state.attempts"} {
		assert.True(t, want[key] != nil, "the walk misses %q", key)
	}
	rows := map[string]Key{}
	for _, k := range KeyTable() {
		_, twice := rows[k.Name]
		assert.False(t, twice, "%q has two rows", k.Name)
		rows[k.Name] = k
		if k.By == ByPerson || k.By == ByChant {
			assert.NotEqual(t, "", k.Type, "the row of %q says too little or breaks the table", k.Name)
			assert.NotEqual(t, "", k.Default, "the row of %q says too little or breaks the table", k.Name)
			assert.NotEqual(t, "", k.Text, "the row of %q says too little or breaks the table", k.Name)
			assert.NotContains(t, k.Type+k.Default+k.Text, "|", "the row of %q says too little or breaks the table", k.Name)
		}
		assert.False(t, want[k.Name] == nil && k.By != ByOlder, "%q has a row and is not parsed", k.Name)
		assert.False(t, want[k.Name] != nil && k.By == ByOlder, "%q is parsed and has no meaning", k.Name)
	}
	for key, typ := range want {
		if row, known := rows[key]; !known {
			t.Errorf("%q is parsed and has no row", key)
		} else if row.By != BySettings && !typeFits(row.Type, typ) {
			t.Errorf("%q is a %s, and its row says %q", key, typ, row.Type)
		}
	}
}

// parsedKeys lists the keys that are decoded into a type; keys of nested mappings have their path.
func parsedKeys(t reflect.Type, path string, out map[string]reflect.Type) {
	for i := range t.NumField() {
		f := t.Field(i)
		name, options, _ := strings.Cut(f.Tag.Get("yaml"), ",")
		inner := f.Type
		for inner.Kind() == reflect.Pointer || inner.Kind() == reflect.Slice && inner.Elem().Kind() == reflect.Struct {
			inner = inner.Elem()
		}
		switch {
		case f.Anonymous || strings.Contains(options, "inline"):
			parsedKeys(inner, path, out)
			continue
		case name == "-":
			continue
		case name == "":
			name = strings.ToLower(f.Name)
		}
		out[path+name] = f.Type
		if inner == reflect.TypeFor[Vote]() || inner == reflect.TypeFor[fileset.Digest]() {
			continue // which the text of the row names
		}
		if inner.Kind() == reflect.Struct && strings.HasPrefix(inner.PkgPath(), reflect.TypeFor[Fields]().PkgPath()) {
			parsedKeys(inner, path+name+".", out)
		}
	}
	if path == "verify." {
		out["verify.defaults"] = out["verify.commands"]
	}
	delete(out, "verify.commands.parallel") // of a whole spec alone
}

// typeFits reports whether the words for a type match a Go type.
func typeFits(words string, t reflect.Type) bool {
	switch {
	case t == reflect.TypeFor[StringList](), t == reflect.TypeFor[taskfields.Words]():
		return strings.HasPrefix(words, "list of ")
	case t == reflect.TypeFor[*Checks](), t == reflect.TypeFor[*Limits](), t == reflect.TypeFor[*Approval](), t == reflect.TypeFor[*Retry](), t == reflect.TypeFor[*taskfields.Relationships]():
		return strings.HasSuffix(words, "mapping")
	case t == reflect.TypeFor[Span]():
		return words == "duration"
	case t.Kind() == reflect.Bool, t == reflect.TypeFor[*bool]():
		return words == "true or false"
	case t.Kind() == reflect.Map, t == reflect.TypeFor[fileset.Digests]():
		return strings.HasPrefix(words, "mapping of ")
	case t.Kind() == reflect.Slice:
		return strings.Contains(words, "list of ")
	case t.Kind() == reflect.Int, t.Kind() == reflect.Int64, t == reflect.TypeFor[*int]():
		return strings.HasPrefix(words, "number") || strings.HasPrefix(words, "milliseconds")
	}
	return !strings.HasPrefix(words, "list") && !strings.HasPrefix(words, "mapping")
}

// The hash of an approval is computed from these keys in this order: another order would void every approval.
func TestKeyTable_content(t *testing.T) {
	t.Parallel()
	want := []string{
		"type", "depends_on", "target_files", "context", "prompt", "provider", "runs_on", "model", "members", "tracks", "informed_by",
		"origin", "verify", "source", "part", "output_schema", "prompt_extensions", "guards", "red_for",
	}
	assert.Equal(t, want, contentKeys())
}
