package io.github.lockboot.cache.aop;

import java.lang.annotation.Annotation;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.springframework.aop.framework.ProxyFactory;
import org.springframework.aop.support.AopUtils;
import org.springframework.core.annotation.MergedAnnotation;
import org.springframework.util.ClassUtils;
import org.springframework.util.ReflectionUtils;

import io.github.lockboot.annotation.DistributedLock;
import io.github.lockboot.aop.AnnotationText;
import io.github.lockboot.aop.MethodNames;
import io.github.lockboot.cache.RedisCache;
import io.github.lockboot.cache.RedisCacheEvict;
import io.github.lockboot.cache.RedisCachePut;
import io.github.lockboot.cache.aop.CachedMethodParser.ClassDefaults;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.junit.jupiter.params.provider.Arguments.arguments;

/**
 * Annotations of the cache are found, caches without an explicit name have one, and the
 * times in annotations have a unit.
 */
class CacheDeclarationTests {

	@Test
	void anInheritedOrDefaultMethodHasAnotherNameInEachClass() {
		assertThat(nameOn(Names.class)).startsWith("CacheDeclarationTests.Names.find-");
		assertThat(nameOn(Titles.class)).startsWith("CacheDeclarationTests.Titles.find-");
		assertThat(name(method(Describing.class, "describe"), Names.class))
			.startsWith("CacheDeclarationTests.Names.describe-");
	}

	@Test
	void aProxyClassCountsAsItsUserClass() {
		ProxyFactory factory = new ProxyFactory(new Names());
		factory.setProxyTargetClass(true);
		Class<?> proxyClass = factory.getProxy().getClass();
		assertThat(proxyClass).isNotEqualTo(Names.class);
		assertThat(nameOn(proxyClass)).isEqualTo(nameOn(Names.class));
	}

	@Test
	void aLambdaOrDynamicProxyIsNamedByItsInterfaceInEveryJvm() {
		OrderLookup lambda = (id) -> id;
		Object proxy = Proxy.newProxyInstance(getClass().getClassLoader(), new Class<?>[] { OrderLookup.class },
				(self, method, arguments) -> null);
		assertThat(List.of(lambda, proxy)).allSatisfy(
				(one) -> assertThat(nameOn(one.getClass())).startsWith("CacheDeclarationTests.OrderLookup.find-"));
	}

	@Test
	void aMethodThatItsTargetDoesNotHaveIsNamedByItsInterface() {
		assertThat(name(method(OrderLookup.class, "find"), Object.class))
			.isEqualTo(name(method(OrderLookup.class, "find"), OrderLookup.class))
			.isNotEqualTo(name(method(Lookup.class, "find"), Object.class));
	}

	@Test
	void annotationsAreFoundByTheirNames() {
		assertThat(CacheDeclaration.ANNOTATIONS).containsExactly(RedisCache.class.getName(),
				RedisCachePut.class.getName(), RedisCachePut.Several.class.getName(), RedisCacheEvict.class.getName(),
				RedisCacheEvict.Several.class.getName());
	}

	@Test
	void annotationOfAnInterfaceThatOnlyASubclassImplementsIsFound() {
		Method find = ClassUtils.getMethod(Late.class, "find", int.class);
		assertThat(CacheDeclaration.finder().find(find, Late.class)).isNotNull()
			.satisfies((found) -> assertThat(found.readsWithoutName()).isFalse());
	}

	static Stream<Arguments> attributes() {
		return Stream.of(DistributedLock.class, RedisCache.class, RedisCachePut.class, RedisCacheEvict.class)
			.flatMap((type) -> Stream.of(type.getDeclaredMethods())
				.map(Method::getName)
				.filter((attribute) -> attribute.matches(".*(Time|[tT]tl)|grace"))
				.map((attribute) -> arguments(type, attribute)));
	}

	@ParameterizedTest
	@MethodSource("attributes")
	void aTimeNeedsAUnit(Class<? extends Annotation> type, String attribute) {
		for (String written : new String[] { "5", " 30 ", "+5", "-5", "${number}" }) {
			assertThatIllegalArgumentException().isThrownBy(() -> duration(type, attribute, written))
				.withMessageMatching("it has the " + attribute + " '([+-]?\\d+)' without a unit: write \\1ms for"
						+ " milliseconds, or \\1s for seconds");
		}
		assertThat(duration(type, attribute, "0")).isZero();
		assertThat(duration(type, attribute, "5s")).isEqualTo(duration(type, attribute, "PT5S"));
	}

	private static @Nullable Duration duration(Class<? extends Annotation> type, String attribute, String written) {
		return new AnnotationText(MergedAnnotation.of(type, Map.of(attribute, written)),
				(text) -> text.replace("${number}", "7"), "it ")
			.duration(attribute);
	}

	private static String nameOn(Class<?> type) {
		return name(method(type, "find"), type);
	}

	private static String name(Method method, Class<?> type) {
		return ClassDefaults.defaultName(method, MethodNames.owner(method, type));
	}

	private static Method method(Class<?> type, String name) {
		Method declared = Objects.requireNonNull(ReflectionUtils.findMethod(type, name, String.class));
		return AopUtils.getMostSpecificMethod(declared, type);
	}

	interface Lookup {

		String find(String id);

	}

	interface OrderLookup extends Lookup {

		@Override
		String find(String id);

	}

	interface Describing {

		default String describe(String id) {
			return id;
		}

	}

	abstract static class Finder implements Describing {

		public String find(String id) {
			return id;
		}

	}

	static class Names extends Finder {

	}

	static class Titles extends Finder {

	}

	interface Declared {

		@RedisCache(name = "product")
		String find(int id);

	}

	static class Unaware {

		public String find(int id) {
			return "product " + id;
		}

	}

	static class Late extends Unaware implements Declared {

	}

}
