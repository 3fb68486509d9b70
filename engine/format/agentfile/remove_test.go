package agentfile

import (
	"testing"

	"github.com/alecthomas/assert/v2"
)

// TestRemove: what was merged into a file of a person is removed byte for byte.
func TestRemove(t *testing.T) {
	t.Parallel()
	for _, a := range All() {
		ours, err := a.Template()
		assert.NoError(t, err)
		list, _, _ := ourMember(ours)
		files := []string{"{\n  \"" + list + "\": {\n    \"other\": {\"command\": \"x\"}\n  }\n}\n", "{\n\t\"a\": 1 // why\n}\n", "{\"a\": 1}", "{\r\n  \"a\": [1,\r\n  2]\r\n}\r\n"}
		if list == "" {
			files = []string{"model = \"x\"\n", "[a]\r\nb = 1\r\n"}
		}
		for _, was := range append(files, "") {
			merged, err := a.Merge(a.Config, []byte(was), ours)
			assert.NoError(t, err, "%s %q", a.Name, was)
			got, err := a.Remove(a.Config, merged)
			assert.NoError(t, err, "%s %q", a.Name, was)
			assert.Equal(t, was, string(got), "%s", a.Name)
		}
	}
	section, err := Template("section.md")
	assert.NoError(t, err)
	for _, was := range []string{"# Mine\n", "# Mine\r\n\r\nText\r\n", ""} {
		merged, err := MergeSection(OpenGuide, []byte(was), section)
		assert.NoError(t, err)
		got, err := RemoveSection(OpenGuide, append(merged, "# Later\n"...))
		assert.NoError(t, err)
		assert.Equal(t, was+"# Later\n", string(got))
		got, err = RemoveSection(OpenGuide, merged)
		assert.NoError(t, err)
		assert.Equal(t, was, string(got))
	}
}
