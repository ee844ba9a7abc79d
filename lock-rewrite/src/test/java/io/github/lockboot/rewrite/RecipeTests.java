package io.github.lockboot.rewrite;

import java.io.StringWriter;
import java.net.URI;
import java.util.List;

import javax.tools.JavaCompiler;
import javax.tools.JavaFileObject;
import javax.tools.SimpleJavaFileObject;
import javax.tools.ToolProvider;

import org.openrewrite.java.JavaParser;
import org.openrewrite.test.RecipeSpec;
import org.openrewrite.test.RewriteTest;

import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.openrewrite.java.Assertions.java;

/**
 * Tests a recipe by programs before and after it, which both have to compile.
 */
abstract class RecipeTests implements RewriteTest {

	private final String recipe;

	RecipeTests(String recipe) {
		this.recipe = recipe;
	}

	@Override
	public void defaults(RecipeSpec spec) {
		spec.recipeFromResources("io.github.lockboot.rewrite." + this.recipe)
			.parser(JavaParser.fromJavaVersion()
				.classpath("lock4j-core", "redisson", "shedlock-spring", "spring-integration-core", "spring-core",
						"spring-messaging", "lock-spring-boot-autoconfigure"));
	}

	void rewrites(String before, String after) {
		compile(before);
		rewriteRun(java(before, after));
		compile(after);
	}

	private static void compile(String source) {
		JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
		StringWriter errors = new StringWriter();
		JavaFileObject file = new SimpleJavaFileObject(URI.create("string:///Program.java"),
				JavaFileObject.Kind.SOURCE) {
			@Override
			public CharSequence getCharContent(boolean ignoreEncodingErrors) {
				return source;
			}
		};
		// only analysed: no class file is written
		boolean compiles = compiler
			.getTask(errors, null, null, List.of("-proc:none", "-implicit:none", "-XDshould-stop.ifNoError=FLOW"), null,
					List.of(file))
			.call();
		assertTrue(compiles, () -> errors + source);
	}

}
