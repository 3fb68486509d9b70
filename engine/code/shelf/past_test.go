package shelf

import (
	"testing"

	"github.com/alecthomas/assert/v2"
)

func TestChanged(t *testing.T) {
	t.Parallel()
	wide := Change{Subject: "Rename retries everywhere", Files: make([]string, 21)}
	past := []Change{
		{Subject: "Retry uploads", Files: []string{"upload.go"}},
		{Subject: "Retry downloads", Files: []string{"download.go", "a.go", "b.go"}},
		{Subject: "Describe the limits", Files: []string{"limits.md"}},
		wide,
	}
	list, err := Changed(past, "retries of an upload")
	assert.NoError(t, err)
	assert.Equal(t, 4, len(list))
	assert.Equal(t, "upload.go", list[0].Key)
	assert.Equal(t, "a.go", list[1].Key)
	for _, text := range []string{"", "zebra"} {
		list, err = Changed(past, text)
		assert.NoError(t, err, "%q: %v", text, list)
		assert.Zero(t, list, "%q: %v", text, list)
	}
	list, err = Changed(nil, "retries")
	assert.NoError(t, err, "without a past: %v", list)
	assert.Zero(t, list, "without a past: %v", list)
}
