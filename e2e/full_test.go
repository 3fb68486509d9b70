package e2e

import "chant/engine/enginetest"

// What is left out of each change, see CONTRIBUTING.md.
var (
	forRelease = enginetest.ForRelease
	oneOf      = enginetest.OneOf
	sizeOf     = enginetest.SizeOf
)
