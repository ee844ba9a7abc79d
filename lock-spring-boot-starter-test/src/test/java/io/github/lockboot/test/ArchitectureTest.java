package io.github.lockboot.test;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import org.junit.jupiter.api.Test;

import io.github.lockboot.LockOperations;
import io.github.lockboot.annotation.DistributedLock;
import io.github.lockboot.aop.AnnotatedMethod;
import io.github.lockboot.aop.lock.LockAnnotations;
import io.github.lockboot.engine.LockLifecycle;
import io.github.lockboot.engine.LockTemplate;

import static com.tngtech.archunit.core.domain.JavaClass.Predicates.equivalentTo;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

/**
 * Dependencies of the test support.
 */
class ArchitectureTest {

	private static final String API = LockOperations.class.getPackageName();

	private static final JavaClasses MAIN = new ClassFileImporter()
		.withImportOption(new ImportOption.DoNotIncludeTests())
		.importPackagesOf(OtherNode.class);

	@Test
	void dependsOnlyOnTheApiAndTheAccessToAnotherInstance() {
		noClasses().should()
			.dependOnClassesThat(resideInAPackage(API + "..")
				.and(JavaClass.Predicates.resideOutsideOfPackages(API, OtherNode.class.getPackageName()))
				.and(equivalentTo(LockTemplate.class).or(equivalentTo(LockLifecycle.class)).negate())
				.and(equivalentTo(DistributedLock.class).or(equivalentTo(AnnotatedMethod.class))
					.or(equivalentTo(LockAnnotations.class))
					.negate()))
			.check(MAIN);
	}

}
