package io.github.lockboot.rewrite;

import java.io.IOException;
import java.io.StringWriter;
import java.net.URI;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

import javax.tools.JavaCompiler;
import javax.tools.JavaFileObject;
import javax.tools.SimpleJavaFileObject;
import javax.tools.ToolProvider;

import org.jspecify.annotations.Nullable;
import org.openrewrite.java.JavaParser;
import org.openrewrite.test.RecipeSpec;
import org.openrewrite.test.RewriteTest;
import org.openrewrite.test.TypeValidation;

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
				.classpath("lock4j-core", "redisson", "shedlock-spring", "shedlock-core", "spring-integration-core",
						"spring-integration-redis", "spring-core", "spring-beans", "spring-context", "spring-messaging",
						"lombok", "jakarta.annotation-api", "lock-core", "lock-spring"))
			// the compiler checks the result
			.afterTypeValidationOptions(TypeValidation.none());
	}

	void rewrites(String before, String after) {
		compile(before, null);
		rewriteRun(java(before, after));
		compile(after, null);
	}

	/**
	 * Return the class of a program after the recipe, which is compiled into a directory.
	 */
	Class<?> rewritten(String before, String after, String name, Path directory)
			throws IOException, ClassNotFoundException {
		rewrites(before, after);
		compile(after, directory);
		return new URLClassLoader(new URL[] { directory.toUri().toURL() }, getClass().getClassLoader()).loadClass(name);
	}

	private static void compile(String source, @Nullable Path directory) {
		JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
		StringWriter errors = new StringWriter();
		String name = source.replaceAll("(?s).*?\\bclass (\\w+).*", "$1");
		JavaFileObject file = new SimpleJavaFileObject(URI.create("string:///" + name + ".java"),
				JavaFileObject.Kind.SOURCE) {
			@Override
			public CharSequence getCharContent(boolean ignoreEncodingErrors) {
				return source;
			}
		};
		List<String> options = new ArrayList<>(List.of("-implicit:none"));
		if (source.contains("import lombok")) {
			options.addAll(List.of("-processor", "lombok.launch.AnnotationProcessorHider$AnnotationProcessor"));
		}
		else {
			options.add("-proc:none");
		}
		if (directory == null) {
			// only analysed: no class file is written
			options.add("-XDshould-stop.ifNoError=FLOW");
		}
		else {
			options.addAll(List.of("-d", directory.toString()));
		}
		boolean compiles = compiler.getTask(errors, null, null, options, null, List.of(file)).call();
		assertTrue(compiles, () -> errors + source);
	}

}
