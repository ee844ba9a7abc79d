package io.github.lockboot.rewrite;

import org.junit.jupiter.api.Test;
import org.openrewrite.java.JavaParser;
import org.openrewrite.test.RecipeSpec;
import org.openrewrite.test.RewriteTest;
import org.openrewrite.test.SourceSpecs;

import static org.openrewrite.java.Assertions.java;
import static org.openrewrite.test.SourceSpecs.text;
import static org.openrewrite.xml.Assertions.xml;

class AddStarterTests implements RewriteTest {

	private static final String POM = """
			<project>
			    <dependencies>
			        <dependency>
			            <groupId>org.redisson</groupId>
			            <artifactId>redisson-spring-boot-starter</artifactId>
			        </dependency>
			    </dependencies>
			</project>
			""";

	private static final String PROVIDER = "net.javacrumbs.shedlock.provider.jdbctemplate.JdbcTemplateLockProvider";

	@Override
	public void defaults(RecipeSpec spec) {
		spec.recipe(new AddStarter("1.0.0"))
			.parser(JavaParser.fromJavaVersion().classpath("redisson", "shedlock-spring", "lock4j-core").dependsOn("""
					package net.javacrumbs.shedlock.provider.jdbctemplate;

					public class JdbcTemplateLockProvider {

					}
					"""));
	}

	@Test
	void theBuildOfASourceWithLocksGetsTheStarter() {
		rewriteRun(xml(POM, (spec) -> spec.path("pom.xml")), xml(POM, POM.replace("    </dependencies>\n", """
				        <dependency>
				            <groupId>io.github.lockboot</groupId>
				            <artifactId>lock-spring-boot-starter</artifactId>
				            <version>1.0.0</version>
				        </dependency>
				    </dependencies>
				"""), (spec) -> spec.path("shop/pom.xml")), java("""
				import org.redisson.api.RLock;

				class Payments {

					RLock lock;

				}
				""", (spec) -> spec.path("shop/src/main/java/Payments.java")));
	}

	@Test
	void gradleGetsTheStarterInBothLanguages() {
		rewriteRun(text("""
				plugins {
				    id 'java'
				}

				dependencies {
				    implementation 'com.baomidou:lock4j-core:2.2.7'
				}
				""", """
				plugins {
				    id 'java'
				}

				dependencies {
				    implementation("io.github.lockboot:lock-spring-boot-starter:1.0.0")
				    implementation 'com.baomidou:lock4j-core:2.2.7'
				}
				""", (spec) -> spec.path("build.gradle")), text("plugins {\n    java\n}\n", """
				plugins {
				    java
				}

				dependencies {
				    implementation("io.github.lockboot:lock-spring-boot-starter:1.0.0")
				}
				""", (spec) -> spec.path("jobs/build.gradle.kts")), locked("src/main/java/A.java", "A"),
				locked("jobs/src/main/java/B.java", "B"));
	}

	@Test
	void aBuildWithoutSuchSourcesStays() {
		rewriteRun(xml(POM, (spec) -> spec.path("pom.xml")), locked("src/test/java/A.java", "A"));
	}

	@Test
	void eachBuildGetsTheStarterOfTheStoreOfItsMainSources() {
		rewriteRun(gradle("orders/build.gradle", ""),
				using("orders/src/main/java/A.java", "A", "org.redisson.api.RLock"),
				using("orders/src/integrationTest/java/B.java", "B", PROVIDER), gradle("jobs/build.gradle", "-jdbc"),
				locked("jobs/src/main/java/C.java", "C"), using("jobs/src/main/java/D.java", "D", PROVIDER));
	}

	@Test
	void aBuildWhoseSourcesTellNoStoreGetsThatOfTheOthers() {
		rewriteRun(gradle("jobs/build.gradle", "-jdbc"), locked("jobs/src/main/java/A.java", "A"),
				using("application/src/main/java/B.java", "B", PROVIDER));
	}

	private static SourceSpecs gradle(String path, String store) {
		String before = "plugins {\n    id 'java'\n}\n";
		return text(before, before + """

				dependencies {
				    implementation("io.github.lockboot:lock-spring-boot-starter%s:1.0.0")
				}
				""".formatted(store), (spec) -> spec.path(path));
	}

	private static SourceSpecs using(String path, String type, String used) {
		return java("""
				class %s {

					%s used;

				}
				""".formatted(type, used), (spec) -> spec.path(path));
	}

	private static SourceSpecs locked(String path, String type) {
		return java("""
				import com.baomidou.lock.annotation.Lock4j;

				class %s {

					@Lock4j
					void run() {
					}

				}
				""".formatted(type), (spec) -> spec.path(path));
	}

}
