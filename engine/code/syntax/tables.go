package syntax

import "chant/engine/code/chunk"

func python() table {
	return join(
		does(comments, "comment"), does(wraps, "decorated_definition"), does(attaches, "decorator"),
		does(enters, "if_statement", "else_clause", "elif_clause", "try_statement", "except_clause", "finally_clause", "block", "with_statement",
			"for_statement", "while_statement"),
		does(holds, "assignment"), does(bases, "argument_list"),
		table{
			"class_definition":        declare(chunk.Class),
			"function_definition":     declare(chunk.Function),
			"type_alias_statement":    declare(chunk.TypeAlias),
			"call":                    call("function"),
			"import_statement":        {role: imports},
			"import_from_statement":   {role: imports, field: "module_name"},
			"future_import_statement": {role: imports},
		})
}

func script() table {
	return join(
		does(comments, "comment"), does(wraps, "ambient_declaration"), does(attaches, "decorator"),
		does(bases, "class_heritage", "extends_clause", "implements_clause", "extends_type_clause"),
		does(names, "type_identifier"),
		does(enters, "statement_block", "if_statement", "else_clause", "expression_statement"),
		does(holds, "property_signature"),
		table{
			"class_declaration":              declare(chunk.Class),
			"abstract_class_declaration":     declare(chunk.Class),
			"interface_declaration":          declare(chunk.Interface),
			"enum_declaration":               declare(chunk.Enum),
			"type_alias_declaration":         declare(chunk.TypeAlias),
			"function_declaration":           declare(chunk.Function),
			"generator_function_declaration": declare(chunk.Function),
			"function_signature":             declare(chunk.Function),
			"method_definition":              declare(chunk.Method),
			"abstract_method_signature":      declare(chunk.Method),
			"internal_module":                declare(chunk.Namespace),
			"module":                         declare(chunk.Namespace),
			"method_signature":               declare(chunk.Method),
			"export_statement":               {role: wraps, kind: chunk.Function},
			"lexical_declaration":            {role: declares, kind: chunk.Function, field: "variable_declarator", needs: "function"},
			"variable_declaration":           {role: declares, kind: chunk.Function, field: "variable_declarator", needs: "function"},
			"assignment_expression":          {role: declares, kind: chunk.Function, field: "left", needs: "function"},
			"public_field_definition":        {role: declares, kind: chunk.Method, needs: "function"},
			"field_definition":               {role: declares, kind: chunk.Method, field: "property", needs: "function"},
			"pair":                           {role: declares, kind: chunk.Method, field: "key", needs: "function"},
			"class_static_block":             declare(chunk.Initializer),
			"jsx_opening_element":            call("name"),
			"jsx_self_closing_element":       call("name"),
			"call_expression":                call("function"),
			"new_expression":                 call("constructor"),
			"import_statement":               {role: imports, field: "source"},
			"import_require_clause":          {role: imports, field: "source"},
		})
}

func rust() table {
	return join(
		does(comments, "line_comment", "block_comment"), does(attaches, "attribute_item"),
		does(bases, "trait_bounds"), does(names, "type_identifier"), does(enters, "declaration_list", "foreign_mod_item"),
		table{
			"struct_item":              declare(chunk.Struct),
			"union_item":               declare(chunk.Struct),
			"enum_item":                declare(chunk.Enum),
			"trait_item":               declare(chunk.Interface),
			"impl_item":                named(chunk.Extension, "type"),
			"mod_item":                 {role: declares, kind: chunk.Namespace, needs: "body"},
			"function_item":            declare(chunk.Function),
			"function_signature_item":  declare(chunk.Function),
			"type_item":                declare(chunk.TypeAlias),
			"associated_type":          declare(chunk.TypeAlias),
			"const_item":               declare(chunk.Constant),
			"static_item":              declare(chunk.Variable),
			"macro_definition":         declare(chunk.Macro),
			"call_expression":          call("function"),
			"macro_invocation":         call("macro"),
			"struct_expression":        call("name"),
			"use_declaration":          {role: imports, field: "argument"},
			"extern_crate_declaration": {role: imports, field: "name"},
		})
}

func java() table {
	return join(
		does(comments, "line_comment", "block_comment"), does(marks, "annotation", "marker_annotation"),
		does(bases, "superclass", "super_interfaces", "extends_interfaces", "type_list", "interface_type_list"),
		does(names, "type_identifier"), does(enters, "enum_body_declarations"),
		does(holds, "field_declaration", "constant_declaration"),
		table{
			"class_declaration":                   declare(chunk.Class),
			"record_declaration":                  declare(chunk.Class),
			"interface_declaration":               declare(chunk.Interface),
			"annotation_type_declaration":         declare(chunk.Interface),
			"enum_declaration":                    declare(chunk.Enum),
			"method_declaration":                  declare(chunk.Method),
			"constructor_declaration":             declare(chunk.Initializer),
			"compact_constructor_declaration":     declare(chunk.Initializer),
			"annotation_type_element_declaration": declare(chunk.Method),
			"static_initializer":                  declare(chunk.Initializer),
			"block":                               declare(chunk.Initializer), // among members
			"method_reference":                    {role: passes},
			"method_invocation":                   call("name"),
			"object_creation_expression":          call("type"),
			"import_declaration":                  {role: imports},
		})
}

func kotlin() table {
	return join(
		does(comments, "line_comment", "multiline_comment"), does(marks, "annotation"),
		does(bases, "delegation_specifier", "constructor_invocation", "explicit_delegation"),
		does(names, "type_identifier"),
		table{
			"class_declaration":     declare(chunk.Class),
			"object_declaration":    declare(chunk.Class),
			"companion_object":      declare(chunk.Class),
			"function_declaration":  declare(chunk.Function),
			"secondary_constructor": declare(chunk.Initializer),
			"anonymous_initializer": declare(chunk.Initializer),
			"property_declaration":  {role: declares, kind: chunk.Variable, field: "variable_declaration", needs: "accessors"},
			"callable_reference":    {role: passes},
			"type_alias":            declare(chunk.TypeAlias),
			"call_expression":       call(""),
			"import_header":         {role: imports},
		})
}

func swift() table {
	return join(
		does(comments, "comment", "multiline_comment"), does(marks, "attribute"),
		does(bases, "inheritance_specifier"), does(names, "type_identifier"),
		table{
			"class_declaration":             declare(chunk.Class),
			"protocol_declaration":          declare(chunk.Protocol),
			"function_declaration":          declare(chunk.Function),
			"protocol_function_declaration": declare(chunk.Method),
			"init_declaration":              declare(chunk.Initializer),
			"deinit_declaration":            declare(chunk.Deinitializer),
			"subscript_declaration":         declare(chunk.Subscript),
			"property_declaration":          {role: declares, kind: chunk.Variable, needs: "accessors"},
			"typealias_declaration":         declare(chunk.TypeAlias),
			"macro_declaration":             declare(chunk.Macro),
			"call_expression":               call(""),
			"constructor_expression":        call("constructed_type"),
			"import_declaration":            {role: imports},
		})
}

func cFamily() table {
	return join(
		does(comments, "comment"), does(wraps, "template_declaration", "friend_declaration"),
		does(bases, "base_class_clause"), does(names, "type_identifier"),
		does(enters, "preproc_if", "preproc_ifdef", "preproc_else", "preproc_elif", "linkage_specification", "declaration_list"),
		does(holds, "init_declarator", "enumerator"), does(marks, "attribute_declaration"),
		table{
			"function_definition":  {role: declares, kind: chunk.Function, field: "declarator", needs: "function_declarator"},
			"declaration":          {role: declares, kind: chunk.Function, field: "declarator", needs: "function_declarator"},
			"field_declaration":    {role: declares, kind: chunk.Method, field: "declarator", needs: "function_declarator"},
			"type_definition":      named(chunk.TypeAlias, "declarator"),
			"alias_declaration":    declare(chunk.TypeAlias),
			"concept_definition":   declare(chunk.Interface),
			"struct_specifier":     {role: declares, kind: chunk.Struct, needs: "name and body"},
			"union_specifier":      {role: declares, kind: chunk.Struct, needs: "name and body"},
			"class_specifier":      {role: declares, kind: chunk.Class, needs: "name and body"},
			"enum_specifier":       {role: declares, kind: chunk.Enum, needs: "name and body"},
			"namespace_definition": declare(chunk.Namespace),
			"preproc_def":          declare(chunk.Macro),
			"preproc_function_def": declare(chunk.Macro),
			"call_expression":      call("function"),
			"new_expression":       call("type"),
			"preproc_include":      {role: imports, field: "path"},
		})
}

func csharp() table {
	return join(
		does(comments, "comment"), does(marks, "attribute_list"), does(bases, "base_list", "primary_constructor_base_type"),
		does(enters, "preproc_if", "preproc_else"), does(holds, "field_declaration", "event_field_declaration"),
		table{
			"class_declaration":               declare(chunk.Class),
			"record_declaration":              declare(chunk.Class),
			"struct_declaration":              declare(chunk.Struct),
			"record_struct_declaration":       declare(chunk.Struct),
			"interface_declaration":           declare(chunk.Interface),
			"enum_declaration":                declare(chunk.Enum),
			"delegate_declaration":            declare(chunk.TypeAlias),
			"namespace_declaration":           declare(chunk.Namespace),
			"method_declaration":              declare(chunk.Method),
			"local_function_statement":        declare(chunk.Function),
			"constructor_declaration":         declare(chunk.Initializer),
			"destructor_declaration":          declare(chunk.Deinitializer),
			"operator_declaration":            named(chunk.Method, "operator"),
			"conversion_operator_declaration": named(chunk.Method, "type"),
			"indexer_declaration":             declare(chunk.Subscript),
			"property_declaration":            {role: declares, kind: chunk.Variable, needs: "accessors with code"},
			"event_declaration":               {role: declares, kind: chunk.Variable, needs: "accessors with code"},
			"invocation_expression":           call("function"),
			"object_creation_expression":      call("type"),
			"using_directive":                 {role: imports},
		})
}

func ruby() table {
	return join(
		does(comments, "comment"), does(bases, "superclass"), does(names, "constant"),
		does(enters, "if", "unless", "then", "else", "begin", "singleton_class", "body_statement"),
		table{
			"class":            declare(chunk.Class),
			"module":           declare(chunk.Namespace),
			"method":           declare(chunk.Method),
			"singleton_method": declare(chunk.Method),
			"call":             {role: calls, kind: chunk.Method, field: "method"}, // of define_method
			"assignment":       {role: holds, kind: chunk.Class, field: "left"},    // of Struct.new
		})
}

func php() table {
	return join(
		does(comments, "comment"), does(marks, "attribute_list"),
		does(bases, "base_clause", "class_interface_clause", "use_declaration"), does(names, "named_type"),
		does(enters, "if_statement", "compound_statement", "else_clause"), does(holds, "const_element"),
		table{
			"class_declaration":               declare(chunk.Class),
			"interface_declaration":           declare(chunk.Interface),
			"trait_declaration":               declare(chunk.Interface),
			"enum_declaration":                declare(chunk.Enum),
			"function_definition":             declare(chunk.Function),
			"method_declaration":              declare(chunk.Method),
			"namespace_definition":            {role: declares, kind: chunk.Namespace, needs: "body"},
			"function_call_expression":        call("function"),
			"member_call_expression":          call("name"),
			"nullsafe_member_call_expression": call("name"),
			"scoped_call_expression":          call("name"),
			"object_creation_expression":      call("name"),
			"namespace_use_declaration":       {role: imports},
			"include_expression":              {role: imports},
			"include_once_expression":         {role: imports},
			"require_expression":              {role: imports},
			"require_once_expression":         {role: imports},
		})
}

func bash() table {
	return join(does(comments, "comment"), does(wraps, "redirected_statement"), does(enters, "if_statement", "compound_statement", "list", "else_clause", "elif_clause", "case_statement", "case_item",
		"for_statement", "while_statement", "do_group", "subshell"), does(holds, "variable_assignment"),
		table{
			"function_definition": declare(chunk.Function),
			"command":             call("name"),
		})
}
