package io.github.lockboot.autoconfigure.leader;

import java.util.List;

import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.beans.factory.support.AutowireCandidateQualifier;
import org.springframework.beans.factory.support.BeanDefinitionRegistry;
import org.springframework.beans.factory.support.RootBeanDefinition;
import org.springframework.boot.context.properties.bind.Bindable;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.context.annotation.ImportBeanDefinitionRegistrar;
import org.springframework.core.env.Environment;
import org.springframework.core.type.AnnotationMetadata;
import org.springframework.util.StringUtils;

import io.github.lockboot.leader.LeaderElection;

/**
 * Registers an election for each role of {@code lock.leader.roles}, with the role as its
 * qualifier. Invalid roles are rejected with their properties.
 */
record LeaderElectionRegistrar(Environment environment) implements ImportBeanDefinitionRegistrar {

	@Override
	public void registerBeanDefinitions(AnnotationMetadata importing, BeanDefinitionRegistry registry) {
		if (!this.environment.getProperty("lock.enabled", Boolean.class, true)) {
			return;
		}
		Binder.get(this.environment)
			.bind("lock.leader.roles", Bindable.listOf(String.class))
			.orElse(List.of())
			.stream()
			.filter(StringUtils::hasText)
			.distinct()
			.forEach((role) -> registry.registerBeanDefinition("lockbootLeaderElection-" + role, definition(role)));
	}

	private static RootBeanDefinition definition(String role) {
		RootBeanDefinition definition = new RootBeanDefinition(LeaderAutoConfiguration.class);
		definition.setFactoryMethodName("leaderElection");
		definition.setTargetType(LeaderElection.class);
		definition.setAutowireMode(RootBeanDefinition.AUTOWIRE_CONSTRUCTOR);
		definition.getConstructorArgumentValues().addIndexedArgumentValue(0, role);
		definition.addQualifier(new AutowireCandidateQualifier(Qualifier.class, role));
		return definition;
	}

}
