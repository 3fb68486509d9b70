package jetstream_test

import (
	"slices"
	"strings"
	"testing"

	"chant/engine/fleet"
	"chant/engine/fleet/jetstream"
)

// TestParseProject: a name is a single part of a subject.
func TestParseProject(t *testing.T) {
	t.Parallel()
	for name, valid := range map[string]bool{
		"chant": true, "My-App2": true, strings.Repeat("a", 40): true,
		"": false, "a.b": false, "a b": false, "*": false, ">": false, "ü": false, "a_b": false, strings.Repeat("a", 41): false,
	} {
		if _, err := jetstream.ParseProject(name); (err == nil) != valid {
			t.Errorf("%q: %v, want valid: %t", name, err, valid)
		}
	}
}

// FuzzParseProject: whatever is accepted makes subjects and names of streams that the server accepts.
func FuzzParseProject(f *testing.F) {
	f.Add("chant", "id")
	f.Add("a.b", "*")
	f.Fuzz(func(t *testing.T, name, id string) {
		p, err := jetstream.ParseProject(name)
		if err != nil || id == "" {
			return
		}
		for _, on := range []string{p.Work("c", id), p.Node(id), p.Lease(id), p.Value(id), p.Taker(id), p.Log(id, id), p.Logged(id), p.Ask(id), p.Key(id), p.Command(id)} {
			if strings.ContainsAny(on, " \t\r\n*>") || strings.Contains(on, "..") || strings.HasSuffix(on, ".") {
				t.Errorf("%q", on)
			}
		}
		if node, ok := p.NodeIn(p.Log(id, "x")); !ok || node != id {
			t.Errorf("the node in %q is %q, %t", p.Log(id, "x"), node, ok)
		}
		if parts := strings.Count(p.Node(id), "."); parts != 3 {
			t.Errorf("%q has %d dots", p.Node(id), parts)
		}
		if strings.ContainsAny(p.WorkStream(), " .*>/\\") {
			t.Errorf("%q", p.WorkStream())
		}
	})
}

// TestClassOf: classes of different needs differ, are never empty, and are short enough for a name.
func TestClassOf(t *testing.T) {
	t.Parallel()
	long := make([]string, 50)
	for i := range long {
		long[i] = strings.Repeat("l", i+1)
	}
	if a, b := jetstream.ClassOf(fleet.Needs{Labels: []string{"b", "a", "b"}}), jetstream.ClassOf(fleet.Needs{Labels: []string{"a", "b"}}); a != b {
		t.Errorf("%q and %q for the same labels", a, b)
	}
	seen := map[string]bool{}
	for _, n := range []fleet.Needs{
		{}, {Provider: "_"}, {Provider: "a"}, {Labels: []string{"a"}}, {Labels: []string{"a=b"}}, {Labels: []string{"b", "a", "b"}}, {Labels: []string{"a_3db"}}, {Provider: "a", Labels: []string{"b"}}, {Labels: []string{"ü .*>"}},
		{Labels: long}, {Labels: long[1:]}, {Provider: "a", Labels: long},
	} {
		class := jetstream.ClassOf(n)
		if class == "" || len(class) > 120 || seen[class] || strings.ContainsAny(class, " .*>") {
			t.Errorf("%q for %+v", class, n)
		}
		seen[class] = true
	}
}

// TestGrants: a worker writes only on subjects with its own node, whose number is fixed, and uses the API of JetStream for
// nothing but reading.
func TestGrants(t *testing.T) {
	t.Parallel()
	p, err := jetstream.ParseProject("demo")
	if err != nil {
		t.Fatal(err)
	}
	g := p.Grants(jetstream.WorkerRole, "n.1")
	for _, on := range g.Publish {
		node, ok := p.NodeIn(on)
		if own := ok && node == "n.1"; !own && !strings.HasPrefix(on, "$JS.API.DIRECT.GET.chant-demo-") || strings.ContainsAny(on, "*>") {
			t.Errorf("it may write on %q", on)
		}
	}
	for _, id := range []string{"a", "2026-01-02-001-abc", ""} {
		if on := p.Log("n.1", id); !slices.Contains(g.Publish, on) {
			t.Errorf("it may not write on %q", on)
		}
	}
	for _, on := range g.Subscribe {
		if on == p.All() || on == p.Any("command") || on == p.Any("ask") {
			t.Errorf("it may read %q", on)
		}
	}
}
