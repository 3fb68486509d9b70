package engine

import "chant/engine/spec"

// enterpriseConfig is the section `enterprise` of the settings.
type enterpriseConfig struct {
	Required spec.StringList `yaml:"required"` // front matter that every spec must have filled in
}
