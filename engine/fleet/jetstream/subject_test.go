package jetstream_test

import (
	"strings"
	"testing"

	"chant/engine/fleet"
	"chant/engine/fleet/jetstream"

	"github.com/alecthomas/assert/v2"
)

// TestParseProject: a name is a single part of a subject.
func TestParseProject(t *testing.T) {
	t.Parallel()
	for name, valid := range map[string]bool{
		"chant": true, "My-App2": true, strings.Repeat("a", 40): true,
		"": false, "a.b": false, "a b": false, "*": false, ">": false, "ü": false, "a_b": false, strings.Repeat("a", 41): false,
	} {
		_, err := jetstream.ParseProject(name)
		assert.Equal(t, valid, err == nil, "%q", name)
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
			assert.False(t, strings.ContainsAny(on, " \t\r\n*>"), "%q", on)
			assert.NotContains(t, on, "..")
			assert.False(t, strings.HasSuffix(on, "."), "%q", on)
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
	a, b := jetstream.ClassOf(fleet.Needs{Labels: []string{"b", "a", "b"}}), jetstream.ClassOf(fleet.Needs{Labels: []string{"a", "b"}})
	assert.Equal(t, b, a)
	seen := map[string]bool{}
	for _, n := range []fleet.Needs{
		{}, {Provider: "_"}, {Provider: "a"}, {Labels: []string{"a"}}, {Labels: []string{"a=b"}}, {Labels: []string{"b", "a", "b"}}, {Labels: []string{"a_3db"}}, {Provider: "a", Labels: []string{"b"}}, {Labels: []string{"ü .*>"}},
		{Labels: long}, {Labels: long[1:]}, {Provider: "a", Labels: long},
	} {
		class := jetstream.ClassOf(n)
		assert.NotEqual(t, "", class, "%+v", n)
		assert.True(t, len(class) <= 120, "%q for %+v", class, n)
		assert.False(t, seen[class], "%q for %+v", class, n)
		assert.False(t, strings.ContainsAny(class, " .*>"), "%q for %+v", class, n)
		seen[class] = true
	}
}

// TestGrants: a worker writes only on subjects with its own node, whose number is fixed, and uses the API of JetStream for
// nothing but reading.
func TestGrants(t *testing.T) {
	t.Parallel()
	p, err := jetstream.ParseProject("demo")
	assert.NoError(t, err)
	g := p.Grants(jetstream.WorkerRole, "n.1")
	for _, on := range g.Publish {
		node, ok := p.NodeIn(on)
		assert.False(t, !(ok && node == "n.1") && !strings.HasPrefix(on, "$JS.API.DIRECT.GET.chant-demo-"), "it may write on %q", on)
		assert.False(t, strings.ContainsAny(on, "*>"), "it may write on %q", on)
	}
	for _, id := range []string{"a", "2026-01-02-001-abc", ""} {
		assert.SliceContains(t, g.Publish, p.Log("n.1", id), "it may not write")
	}
	for _, on := range g.Subscribe {
		assert.NotEqual(t, p.All(), on, "it may read")
		assert.NotEqual(t, p.Any("command"), on, "it may read")
		assert.NotEqual(t, p.Any("ask"), on, "it may read")
	}
}
